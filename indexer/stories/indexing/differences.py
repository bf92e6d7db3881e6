"""What an update changes in the index: found, written down, and summed up for a person.

    document before, document after → a Difference a field → lines of JSON → Report

Written before the index is: also what was not carried out in the end is in it, and a batch that
came twice is in it twice. A report counts each story once a field.
"""

import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import msgspec

from indexer.search import Document
from indexer.search.documents import FIELDS
from indexer.search.language.words import normal
from indexer.stories.archiving.story_archive_writer import hostname
from indexer.text.decoding.texts import lines, text_pieces
from indexer.text.unpacking import input_errors

COMPARED = tuple(field for field in FIELDS if field != "indexed_date")
"""When a story came into the index is no matter of its page, and is never changed."""

EXCERPT = 200
CONTEXT = 60
"""Characters of a text that are shown, and how many of them are before the first difference."""

MAX_URL = 2000
MAX_LINE = 100_000
"""A longer line is not one of ours."""

SUFFIX = ".jsonl"

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")


class Difference(msgspec.Struct, frozen=True):
    """One field of a story that is to change. Of long texts, an excerpt around the place."""

    id: str
    url: str
    field: str
    before: str | None
    after: str | None


class Changed(msgspec.Struct, frozen=True):
    """A field that changes: in how many stories, and some of them."""

    field: str
    stories: int
    examples: Sequence[Difference]


class DifferencesReport(msgspec.Struct, frozen=True):
    """What changes: how many stories in all, and by field, the most frequent first.

    `unreadable` lines are those that a killed program left half written, or that are not ours.
    """

    stories: int
    fields: Sequence[Changed]
    files: int
    unreadable: int


def differences(before: Document, after: Document) -> list[Difference]:
    """The fields in which a story's document is not what the index has of it."""
    found = ((field, _value(before, field), _value(after, field)) for field in COMPARED)
    url = _writable(after.url[:MAX_URL])
    return [
        Difference(after.id, url, field, *_excerpts(old, new))
        for field, old, new in found
        if old != new
    ]


class DifferenceFile:
    """Lines of JSON in a file of this process's own, which is made when there is a first one."""

    def __init__(self, directory: Path, started: datetime) -> None:
        name = f"{hostname()}-{os.getpid()}-{started.astimezone(UTC):%Y%m%d%H%M%S}{SUFFIX}"
        self._path = directory / _NOT_IN_NAMES.sub("_", name)
        self._file: BinaryIO | None = None

    def write(self, found: Iterable[Difference]) -> None:
        """Append them, and return when the system has them. Raises OSError."""
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
    """The report of some files, and of all those below some directories. Raises InputError.

    Holds no more than the examples: which stories were counted is in a temporary file.
    """
    files = [file for path in paths for file in _files(path)]
    shown: dict[str, list[Difference]] = {}
    unreadable = 0
    with closing(_Counted()) as counted:
        for found in (each for file in files for each in _read(file)):
            if found is None:
                unreadable += 1
            elif counted.add(found):
                some = shown.setdefault(found.field, [])
                some += [found] if len(some) < examples else []
        fields = [Changed(field, number, shown[field]) for field, number in counted.by_field()]
        return DifferencesReport(counted.stories(), fields, len(files), unreadable)


class _Counted:
    """The stories that were seen, by field; on disk where they are many."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("")
        self._database.executescript(
            "PRAGMA journal_mode = OFF;"
            "CREATE TABLE seen (id TEXT, field TEXT, PRIMARY KEY (id, field)) WITHOUT ROWID;"
            "BEGIN;"
        )

    def add(self, found: Difference) -> bool:
        """Whether it is the first of its story and field."""
        statement = "INSERT INTO seen VALUES (?, ?) ON CONFLICT DO NOTHING"
        return self._database.execute(statement, (found.id, found.field)).rowcount > 0

    def stories(self) -> int:
        row = self._database.execute("SELECT count(DISTINCT id) FROM seen").fetchone()
        return int(row[0])

    def by_field(self) -> list[tuple[str, int]]:
        """Each field and in how many stories it changes, the most frequent first."""
        return self._database.execute(
            "SELECT field, count(*) AS number FROM seen GROUP BY field ORDER BY number DESC, field"
        ).fetchall()

    def close(self) -> None:
        self._database.close()


def _files(path: Path) -> list[Path]:
    with input_errors(str(path)):
        if not path.is_dir():
            return [path]
        return sorted(path.rglob(f"*{SUFFIX}"))


def _read(path: Path) -> Iterator[Difference | None]:
    """The differences in a file; None for each line that is none."""
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
    """What is in a field, in the form that is indexed; None if nothing is."""
    value = getattr(document, field)
    return normal(value) if value else None


def _excerpts(before: str | None, after: str | None) -> tuple[str | None, str | None]:
    start = max(0, _first_difference(before or "", after or "") - CONTEXT)
    return _excerpt(before, start), _excerpt(after, start)


def _excerpt(text: str | None, start: int) -> str | None:
    if text is None:
        return None
    end = start + EXCERPT
    return _writable(f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}")


def _first_difference(one: str, other: str) -> int:
    """Where two texts begin to differ: the length of what they have in common."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _writable(text: str) -> str:
    """Without lone surrogates, which what others have indexed may have."""
    return text.encode("utf-8", "backslashreplace").decode()
