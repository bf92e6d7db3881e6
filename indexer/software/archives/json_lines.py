"""Objects of an archive as lines of JSON: exports, journals, tests.

    {"topic": "origin_visit_status", "origin": URL, "visit": 1, "date": "2026-01-01T00:00:00Z",
     "status": "full", "type": "git", "snapshot": ID}
    {"topic": "snapshot", "id": ID, "branches": {"HEAD": {"target_type": "revision", "target": ID}}}
    {"topic": "revision", "id": ID, "directory": ID}
    {"topic": "release", "id": ID, "target_type": "revision", "target": ID}
    {"topic": "directory", "id": ID, "entries": [{"name": "a", "type": "file", "target": ID}]}
    {"topic": "content", "sha1_git": ID, "text": "…" or "base64": "…"}

Lines may come in any order; a large directory may have several lines. Only places in the file are
kept in memory. The ids of contents are checked; those of other objects are taken as they are.
"""

import base64
import binascii
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from indexer.errors import InputError
from indexer.software.archives import objects
from indexer.software.archives.source_archive import (
    MAX_CONTENT,
    ContentBytes,
    DirectoryEntry,
    ObjectKind,
    ObjectRef,
    OriginVisit,
    is_id,
    paged,
)
from indexer.text.unpacking import HEAD, head_of, input_errors, unpacked

ENDINGS = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")

MAX_LINE = 64_000_000
MAX_OBJECTS = 10_000_000
MAX_UNPACKED = 64 << 30

STATUSES = "origin_visit_status"
_KINDS = {
    "content": ObjectKind.CONTENT,
    "directory": ObjectKind.DIRECTORY,
    "revision": ObjectKind.REVISION,
    "release": ObjectKind.RELEASE,
    "snapshot": ObjectKind.SNAPSHOT,
    "alias": ObjectKind.ALIAS,
}


class JsonLinesArchive:
    """The objects of a file of JSON lines."""

    def __init__(self, path: Path) -> None:
        """Read the places of all objects. Raises InputError."""
        self._name = str(path)
        self._places: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._visits: dict[str, tuple[tuple[str, int], str, str]] = {}
        with input_errors(self._name):
            self._file = _seekable(self._name, path)
            self._index()

    @property
    def origins(self) -> Sequence[str]:
        """The origins that have a full visit with a snapshot, in the order of the file."""
        return list(self._visits)

    def visit(self, origin: str) -> OriginVisit | None:
        """See `SourceArchive`."""
        found = self._visits.get(origin)
        if found is None:
            return None
        _, type, id = found
        branches: dict[str, ObjectRef | None] = {}
        for line in self._lines("snapshot", id):
            for name, target in self._mapping(line, "branches").items():
                branches[name] = _target(target)
        return OriginVisit(type, branches)

    def peel(self, ref: ObjectRef) -> ObjectRef | None:
        """See `SourceArchive`."""
        if ref.kind is ObjectKind.REVISION:
            for line in self._lines("revision", ref.id):
                return _target({"target_type": "directory", "target": line.get("directory")})
        if ref.kind is ObjectKind.RELEASE:
            for line in self._lines("release", ref.id):
                return _target(line)
        return None

    def pages(self, directory: str) -> Iterator[Sequence[DirectoryEntry]] | None:
        """See `SourceArchive`."""
        if ("directory", directory) not in self._places:
            return None
        return self._pages(directory)

    def content(self, id: str) -> ContentBytes | None:
        """See `SourceArchive`."""
        for line in self._lines("content", id):
            data = self._data(line)
            if data is None:
                continue
            if objects.blob_id(data) != id:
                raise InputError(f"{self._name}: a content is not {id}")
            if len(data) > MAX_CONTENT:
                return ContentBytes(b"", len(data), "")
            return ContentBytes(data, len(data), objects.sha1(data))
        return None

    def close(self) -> None:
        """See `SourceArchive`."""
        self._file.close()

    def _pages(self, directory: str) -> Iterator[Sequence[DirectoryEntry]]:
        for line in self._lines("directory", directory):
            entries = line.get("entries")
            if not isinstance(entries, list):
                raise InputError(f"{self._name}: the directory {directory} has no list of entries")
            yield from paged([each for each in map(_entry, entries) if each])

    def _index(self) -> None:
        place = 0
        for number, line in enumerate(iter(lambda: self._file.readline(MAX_LINE), b""), 1):
            if number > MAX_OBJECTS or len(line) == MAX_LINE:
                raise InputError(f"{self._name}: too many lines, or line {number} is too long")
            if line.strip():
                self._note(self._decoded(line, f"line {number}"), place)
            place += len(line)

    def _note(self, line: Mapping[str, Any], place: int) -> None:
        topic = line.get("topic", STATUSES)
        if topic == STATUSES:
            self._note_visit(line)
            return
        id = line.get("sha1_git" if topic == "content" else "id")
        if is_id(id):
            self._places[str(topic), str(id)].append(place)

    def _note_visit(self, line: Mapping[str, Any]) -> None:
        origin, snapshot = line.get("origin"), line.get("snapshot")
        if line.get("status") != "full" or not isinstance(origin, str) or not is_id(snapshot):
            return
        visit = line.get("visit")
        at = (str(line.get("date", "")), visit if isinstance(visit, int) else 0)
        known = self._visits.get(origin)
        if known is None or at >= known[0]:
            self._visits[origin] = (at, str(line.get("type", "")), str(snapshot))

    def _lines(self, topic: str, id: str) -> Iterator[dict[str, Any]]:
        for place in self._places.get((topic, id), ()):
            with input_errors(self._name):
                self._file.seek(place)
                line = self._file.readline(MAX_LINE)
            yield self._decoded(line, f"{topic} {id}")

    def _decoded(self, line: bytes, what: str) -> dict[str, Any]:
        try:
            found = msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            raise InputError(f"{self._name}: {what}: not JSON: {error}") from error
        if not isinstance(found, dict):
            raise InputError(f"{self._name}: {what}: not an object")
        return found

    def _mapping(self, line: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        found = line.get(key)
        if not isinstance(found, dict):
            raise InputError(f"{self._name}: {line.get('topic')} {line.get('id')} has no {key}")
        return found

    def _data(self, line: Mapping[str, Any]) -> bytes | None:
        text, packed = line.get("text"), line.get("base64")
        if isinstance(text, str):
            return text.encode()
        if not isinstance(packed, str):
            return None
        try:
            return base64.b64decode(packed, validate=True)
        except (binascii.Error, ValueError) as error:
            raise InputError(f"{self._name}: a content is not base64: {error}") from error


def _target(given: object) -> ObjectRef | None:
    if not isinstance(given, dict):
        return None
    kind, id = _KINDS.get(str(given.get("target_type"))), given.get("target")
    if kind is None or not isinstance(id, str) or not (kind is ObjectKind.ALIAS or is_id(id)):
        return None
    return ObjectRef(kind, id)


def _entry(given: object) -> DirectoryEntry | None:
    if not isinstance(given, dict):
        return None
    name, type, id = given.get("name"), given.get("type"), given.get("target")
    if not isinstance(name, str) or not is_id(id):
        return None
    return DirectoryEntry(name, str(type), cast("str", id))


def _seekable(name: str, path: Path) -> BinaryIO:
    file = path.open("rb")
    head = head_of(file, HEAD)
    file.seek(0)
    if not head.startswith(b"\x1f\x8b"):
        return file
    whole = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the archive
    with unpacked(name, file, MAX_UNPACKED) as content:
        shutil.copyfileobj(content, whole)
    whole.seek(0)
    return cast("BinaryIO", whole)
