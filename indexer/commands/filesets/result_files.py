"""Files of results, or of requests, that commands read: each line has one ending, counted."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from indexer.commands.console.parameters import JSONOptions
from indexer.commands.console.terminal import cell, line_of_json, say_empty
from indexer.errors import DecodeError, Disposition, Quarantine
from indexer.filesets.reading import read_results
from indexer.filesets.results.dated_lines import DIRECTORY
from indexer.messages.message import BAD_MESSAGE
from indexer.messages.worker import Done
from indexer.text.chunks import chunks
from indexer.text.unpacking import input_errors, unpacked

ResultFiles = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE|-",
        help="Lines of JSON, also gzip; -: standard input. Default: all results that are kept in "
        "the data directory, from the first one.",
    ),
]

AT_ONCE = 50
"""Lines in memory: results with 10,000 files have some megabytes each."""

MAX_BYTES = 1 << 40

Ending = Done[Any] | Disposition
Handle = Callable[[dict[str, Any]], Any]
"""What a line leads to. Raises Disposition."""

Flush = Callable[[Sequence[Any]], Sequence[Ending]]
"""Does what many lines lead to; one ending each."""


def kept_results(data: Path, topic: str = "ingest-*-results") -> list[str]:
    """The files with all results of a topic in a data directory, the oldest first."""
    return [str(path) for path in sorted((data / DIRECTORY).glob(f"{topic}-*.jsonl"))]


def handle_lines(names: Sequence[str], handle: Handle, flush: Flush, options: JSONOptions) -> None:
    """Handle each line, and tell how many ended how. Ends the command, 1 if some are unreadable."""
    counts: Counter[str] = Counter()
    is_bad = False
    for some in chunks(_lines(names), AT_ONCE):
        for place, ending in _endings(some, handle, flush):
            counts[ending.status] += 1
            if isinstance(ending, Quarantine):
                is_bad = True
                print(f"{place}: {ending.status}: {cell(ending.why)}", file=sys.stderr)
    if options.json_:
        print(line_of_json(dict(counts.most_common())))
    elif not counts:
        say_empty("no lines to read")
    else:
        for status, count in counts.most_common():
            print(f"{count:>9,}  {status}")
    raise typer.Exit(1 if is_bad else 0)


def _endings(
    lines: Sequence[tuple[str, dict[str, Any] | DecodeError]], handle: Handle, flush: Flush
) -> Iterator[tuple[str, Ending]]:
    handled: list[tuple[str, Any]] = []
    for place, line in lines:
        if isinstance(line, DecodeError):
            yield place, Quarantine(BAD_MESSAGE, str(line))
            continue
        try:
            handled.append((place, handle(line)))
        except Disposition as ending:
            yield place, ending
    if handled:
        endings = flush([each for _, each in handled])
        yield from zip((place for place, _ in handled), endings, strict=True)


def _lines(names: Sequence[str]) -> Iterator[tuple[str, dict[str, Any] | DecodeError]]:
    for name in names:
        with input_errors(name), _opened(name) as file:
            content = unpacked(name, file, MAX_BYTES)
            for number, line in enumerate(read_results(content), 1):
                yield f"{name}, result {number}", line


def _opened(name: str) -> Any:
    standard: BinaryIO = sys.stdin.buffer
    return nullcontext(standard) if name == "-" else Path(name).open("rb")
