"""Inputs: archives with one origin, and lists of archives, visits and raw metadata."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from indexer.messages.worker import Skipped
from indexer.software.archives.json_lines import STATUSES
from indexer.software.archives.members import is_packed
from indexer.software.archives.opening import is_remote, path_of_place
from indexer.software.messages import METADATA, OriginMessage
from indexer.text.cleaning import one_line

MAX_LINE = 1 << 24

BAD_LINE, NO_ARCHIVE = "bad-line", "no-archive"

_LISTS = (".txt", ".jsonl", ".ndjson", ".json")
_BUCKETS = ("s3", "b2")


def is_one_origin(name: str) -> bool:
    """Whether an input is an archive with one origin; any other input is a list."""
    if is_remote(name) and not Path(name).exists():
        is_list = name.lower().removesuffix(".gz").endswith(_LISTS)
        return not is_list and name.partition("://")[0].lower() not in _BUCKETS
    return is_packed(name) or path_of_place(name).is_dir()


def message_of(name: str) -> OriginMessage:
    """Return the message of an archive with one origin; the URL of one on disk is a file:// URL."""
    if is_remote(name) and not Path(name).exists():
        return OriginMessage(name, name)
    path = path_of_place(name).absolute()
    return OriginMessage(str(path), path.as_uri())


def messages_of(name: str, file: BinaryIO, archive: str) -> Iterator[OriginMessage | Skipped]:
    """Yield the message of each line of a list; `archive` is the place of the visits' objects."""
    number = 0
    while line := file.readline(MAX_LINE):
        number += 1
        found = _message(line.strip(), archive)
        if isinstance(found, Skipped):
            yield Skipped(found.status, f"{name}, line {number}", found.why)
        elif found is not None:
            yield found


def _message(line: bytes, archive: str) -> OriginMessage | Skipped | None:
    if line.startswith(b"{"):
        return _of_object(line, archive)
    text = line.decode("utf-8", "replace")
    if not text or text.startswith("#"):
        return None
    if is_one_origin(text):
        return message_of(text)
    return Skipped(BAD_LINE, "", f"no archive: {one_line(text, 100)}")


def _of_object(line: bytes, archive: str) -> OriginMessage | Skipped | None:
    try:
        given: Mapping[str, Any] = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        return Skipped(BAD_LINE, "", f"not JSON: {error}")
    topic = given.get("topic", STATUSES)
    if topic == METADATA:
        return OriginMessage("", "", given)
    if topic != STATUSES or given.get("status", "full") != "full":
        return None
    origin, place = given.get("origin"), given.get("archive") or archive
    if not isinstance(origin, str) or not origin or not isinstance(place, str):
        return Skipped(BAD_LINE, "", "a visit without origin")
    if not place:
        return Skipped(NO_ARCHIVE, "", origin)
    return OriginMessage(place, origin)
