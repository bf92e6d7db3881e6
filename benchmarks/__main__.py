"""Be `python -m benchmarks`."""

from benchmarks.pipeline import main

main()
