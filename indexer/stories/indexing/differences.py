"""Differences between the documents of an index and their updates: found, stored, summarised.

    document before, document after → a Difference per field → lines of JSON → DifferencesReport

The differences are written before the index is. So the file may have updates that failed, and a
redelivered batch twice; a report counts each story once per field.
"""

import os
import re
import sqlite3
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import msgspec

from indexer.search import Document
from indexer.search.language.words import normal
from indexer.stories.archiving.story_archive_writer import hostname
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.text.decoding.texts import lines, text_pieces
from indexer.text.unpacking import input_errors

# An update never changes `indexed_date` (see `updater`).
COMPARED = tuple(name for name in STORY_FIELDS.names if name != "indexed_date")

EXCERPT = 200
"""The characters of an excerpt from a text."""
CONTEXT = 60
"""The characters of an excerpt before the first difference."""

MAX_URL = 2000

# No line that this module writes is longer: a longer one is from another program.
MAX_LINE = 100_000

SUFFIX = ".jsonl"

_SEEN = """
PRAGMA journal_mode = OFF;
CREATE TABLE seen (id TEXT, field TEXT, PRIMARY KEY (id, field)) WITHOUT ROWID;
BEGIN;
"""
_ADD = "INSERT INTO seen VALUES (?, ?) ON CONFLICT DO NOTHING"
_BY_FIELD = "SELECT field, count(*) AS n FROM seen GROUP BY field ORDER BY n DESC, field"

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")


class Difference(msgspec.Struct, frozen=True):
    """One field of a story that changes; of long texts, an excerpt around the difference."""

    id: str
    url: str
    field: str
    before: str | None
    after: str | None


class Changed(msgspec.Struct, frozen=True):
    """A field that changes, the number of stories in which it does, and some of them."""

    field: str
    stories: int
    examples: Sequence[Difference]


class DifferencesReport(msgspec.Struct, frozen=True):
    """The number of stories that change, and the fields, the most frequent first.

    `unreadable` counts lines that a killed program left half written, or that are not differences.
    """

    stories: int
    fields: Sequence[Changed]
    files: int
    unreadable: int


def differences(before: Document, after: Document) -> list[Difference]:
    """The fields in which two versions of a document differ."""
    found = ((field, _value(before, field), _value(after, field)) for field in COMPARED)
    url = _writable(after.text("url")[:MAX_URL])
    return [
        Difference(after.id, url, field, *_excerpts(old, new))
        for field, old, new in found
        if old != new
    ]


class DifferenceFile:
    """A file of JSON lines that only this process writes; it is created with the first line."""

    def __init__(self, directory: Path, started: datetime) -> None:
        name = f"{hostname()}-{os.getpid()}-{started.astimezone(UTC):%Y%m%d%H%M%S}{SUFFIX}"
        self._path = directory / _NOT_IN_NAMES.sub("_", name)
        self._file: BinaryIO | None = None

    def write(self, found: Iterable[Difference]) -> None:
        """Append differences, and flush them to the operating system. Raises OSError."""
        data = b"".join(msgspec.json.encode(each) + b"\n" for each in found)
        if not data:
            return
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("ab")
        self._file.write(data)
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


def summarize(paths: Iterable[Path], examples: int = 3) -> DifferencesReport:
    """The report of files, and of all files below directories. Raises InputError."""
    files = [file for path in paths for file in _files(path)]
    shown: dict[str, list[Difference]] = {}
    unreadable = 0
    # An update may change millions of stories. SQLite keeps the counted ones in a temporary file.
    with closing(sqlite3.connect("")) as seen:
        seen.executescript(_SEEN)
        for found in (each for file in files for each in _read(file)):
            if found is None:
                unreadable += 1
            elif seen.execute(_ADD, (found.id, found.field)).rowcount:
                some = shown.setdefault(found.field, [])
                some += [found] if len(some) < examples else []
        fields = [Changed(field, number, shown[field]) for field, number in seen.execute(_BY_FIELD)]
        [stories] = seen.execute("SELECT count(DISTINCT id) FROM seen").fetchone()
    return DifferencesReport(stories, fields, len(files), unreadable)


def _files(path: Path) -> list[Path]:
    with input_errors(str(path)):
        if not path.is_dir():
            return [path]
        return sorted(path.rglob(f"*{SUFFIX}"))


def _read(path: Path) -> Iterator[Difference | None]:
    """The differences in a file; None for each line that is not a difference."""
    with input_errors(str(path)), path.open("rb") as file:
        for line in lines(text_pieces(b"", file, detect=False), MAX_LINE):
            if line != "":
                yield None if line is None else _difference(line)


def _difference(line: str) -> Difference | None:
    try:
        found = msgspec.json.decode(line, type=Difference)
    except (msgspec.MsgspecError, RecursionError):
        return None
    return found if found.field in COMPARED else None


def _value(document: Document, field: str) -> str | None:
    """The value of a field in the form that is indexed; None if it is empty."""
    value = document.get(field)
    if value is None or isinstance(value, str):
        return normal(value) if value else None
    return msgspec.json.encode(value).decode()


def _excerpts(before: str | None, after: str | None) -> tuple[str | None, str | None]:
    start = max(0, _first_difference(before or "", after or "") - CONTEXT)
    return _excerpt(before, start), _excerpt(after, start)


def _excerpt(text: str | None, start: int) -> str | None:
    if text is None:
        return None
    end = start + EXCERPT
    return _writable(f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}")


def _first_difference(one: str, other: str) -> int:
    """The length of the beginning that two texts have in common."""
    sizes = range(1, min(len(one), len(other)) + 1)
    # By bisection, since texts are long: a loop over characters takes 40 times as long.
    return bisect_left(sizes, True, key=lambda size: one[:size] != other[:size])


def _writable(text: str) -> str:
    """The text with lone surrogates escaped: documents of other programs may contain them."""
    return text.encode("utf-8", "backslashreplace").decode()
