"""The benchmarks of `make bench`: see docs/performance.md."""
