"""Feeds hostile inputs to every format: no exception escapes, and each input has its time.

    python -m benchmarks software --fuzz [--inputs 100000] [--format npm]... [--seed 1]

It ends with status 1 at the first exception, and after an input that took longer than `LONGEST`.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.software.hostile import Hostile
from indexer.software.formats.extrinsic import EXTRINSIC
from indexer.software.formats.table import FORMATS
from indexer.software.rules.manifest_format import ManifestFormat
from indexer.software.translation.document import canonical, document
from indexer.software.translation.translator import translate

LONGEST = 2.0
"""CPU seconds that no input may take."""

ALL = {form.name: form for form in (*FORMATS, *EXTRINSIC.values())}


class Fuzzed(NamedTuple):
    """The result of a format: inputs, those with properties, CPU seconds in all and at most."""

    inputs: int
    read: int
    seconds: float
    longest: float


def fuzz(form: ManifestFormat, number: int, seed: int = 1) -> Fuzzed:
    """Translate hostile inputs, and write each document. Raises whatever escapes."""
    read, longest, started = 0, 0.0, time.process_time()
    for content in Hostile(form.name, seed).inputs(number):
        before = time.process_time()
        properties = translate(content, form).properties
        for version in ("2.0", "3.0"):
            canonical(document(properties, version))
        longest = max(longest, time.process_time() - before)
        read += bool(properties)
    return Fuzzed(number, read, time.process_time() - started, longest)


def main(arguments: Sequence[str]) -> None:
    """Fuzz the formats, and print a line for each."""
    parser = argparse.ArgumentParser(prog="benchmarks software --fuzz")
    parser.add_argument("--inputs", type=int, default=100_000, help="inputs of each format")
    parser.add_argument("--format", action="append", choices=sorted(ALL), help="all by default")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    slow = False
    for name in options.format or ALL:
        found = fuzz(ALL[name], options.inputs, options.seed)
        slow = slow or found.longest > LONGEST
        print(
            f"{name:28} {found.inputs:,} inputs, {found.read:,} with properties, "
            f"{found.seconds:.1f} CPU-s, the longest {found.longest * 1000:.0f} ms",
            flush=True,
        )
    if slow:
        sys.exit(f"an input took longer than {LONGEST} CPU-seconds")
