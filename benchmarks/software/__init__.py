"""Benchmarks of software: each module is one, with a `main`."""
