"""Benchmarks of software: translation by default, `--fuzz` for hostile inputs.

python -m benchmarks software [--rounds 5] [--json]
python -m benchmarks software --fuzz [--inputs 100000] [--format npm]
python -m benchmarks software indexing [--origins 100000]
python -m benchmarks software searching [--origins 1000000]
"""

from collections.abc import Sequence
from importlib import import_module

MODULES = {"--fuzz": "fuzzing", "indexing": "indexing", "searching": "searching"}
"""The module that a first word chooses; each has a `main`."""


def main(options: Sequence[str]) -> None:
    """Run the benchmark that the first option names."""
    first, *others = [*options] or [""]
    chosen = MODULES.get(first)
    module = import_module(f"{__name__}.{chosen or 'translating'}")
    module.main(others if chosen else options)
