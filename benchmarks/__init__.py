"""The benchmarks of `make bench`: see docs/benchmarks.md."""
