"""Measures each stage of the pipelines beside the alternatives that a user would pick.

    python -m benchmarks performance [NAME]... [--corpus DIR|WARC] [--rounds 5] [--write PAGE]

Ours and the alternatives take turns in one run; a figure is the median of the rounds. CPU time is
user and system time of the processes, without that of servers. PAGE is docs/performance.md.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measuring import table
from benchmarks.measuring.corpus import PAGES, CorpusPage, corpus
from benchmarks.measuring.rounds import Row, measure
from benchmarks.measuring.stage import Unmeasured
from benchmarks.stages import names, opened
from indexer.system import logs


def measured(
    stages: Sequence[str], pages: Sequence[CorpusPage], rounds: int
) -> Iterator[Row | Unmeasured]:
    """The rows of the stages, each as soon as it is measured."""
    for name in stages:
        with opened(name)(pages) as found:
            for stage in found:
                print(f"{name}: {stage.name} …", file=sys.stderr)
                yield stage if isinstance(stage, Unmeasured) else measure(stage, rounds)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("stages", nargs="*", metavar="NAME", help=", ".join(names()))
    parser.add_argument("--corpus", type=Path, help="a folder of .html files, or a WARC file")
    parser.add_argument("--pages", type=int, default=PAGES, help="of the corpus, at most")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="a page with a table of stages")
    given = parser.parse_args(arguments)
    if unknown := set(given.stages) - set(names()):
        parser.error(f"no stage {', '.join(sorted(unknown))}: the stages are {', '.join(names())}")
    logs.set_up("warning")
    pages = corpus(given.corpus, given.pages)
    rows = list(measured(given.stages or names(), pages, given.rounds))
    if given.write:
        table.write(rows, given.write)
    if given.json:
        print(json.dumps(table.as_json(rows), indent=2))
    else:
        table.show(rows)


if __name__ == "__main__":
    main()
