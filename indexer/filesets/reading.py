"""Reads results: lines of JSON of this program, of the existing system, or edited by a person.

The existing system writes strategies that end with `-bundle`, a `file_meta` in a list, and short
names in `terminal`; Python, NaN; spreadsheets and editors, a byte order mark and CRLF.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final

from indexer.errors import DecodeError
from indexer.text.cleaning import one_line

MAX_LINE: Final = 128 << 20
"""The most bytes of a result: a message has no more."""

_BOM: Final = b"\xef\xbb\xbf"

_OLDER: Final = {
    "url": "terminal_url",
    "dt": "terminal_dt",
    "status_code": "terminal_status_code",
    "http_code": "terminal_status_code",
}

# Python writes them, and JSON does not have them.
_NO_NUMBER: Final = {"NaN": None, "Infinity": None, "-Infinity": None}.__getitem__


def read_result(line: bytes) -> dict[str, Any]:
    """The object of JSON in a line, with the names of filesets.md 1. Raises DecodeError."""
    try:
        # Not msgspec: paths may have lone surrogates, which JSON can escape.
        found = json.loads(line.removeprefix(_BOM), parse_constant=_NO_NUMBER)
    except (ValueError, RecursionError) as error:
        raise DecodeError(f"not JSON: {one_line(str(error), 200)}") from error
    if not isinstance(found, dict):
        raise DecodeError("not an object of JSON")
    return _renamed(found)


def read_results(file: BinaryIO) -> Iterator[dict[str, Any] | DecodeError]:
    """The result, or the error, of each line that is not blank."""
    while line := file.readline(MAX_LINE):
        if line.strip(b"\r\n\t \xef\xbb\xbf"):
            try:
                yield read_result(line)
            except DecodeError as error:
                yield error


def request_of_result(result: Mapping[str, Any]) -> dict[str, Any]:
    """The request of a result; empty if it has none."""
    found = result.get("request")
    return found if isinstance(found, dict) else {}


def _renamed(result: dict[str, Any]) -> dict[str, Any]:
    strategy = result.get("ingest_strategy")
    if isinstance(strategy, str) and strategy.endswith("-bundle"):
        result["ingest_strategy"] = f"{strategy}d"
    for part in (result, result.get("fileset_file"), result.get("fileset_bundle")):
        if isinstance(part, dict):
            _rename_part(part)
    return result


def _rename_part(part: dict[str, Any]) -> None:
    meta, terminal = part.get("file_meta"), part.get("terminal")
    if isinstance(meta, list):
        part["file_meta"] = meta[0] if len(meta) == 1 else None
    if isinstance(terminal, dict):
        for older, name in _OLDER.items():
            if older in terminal:
                terminal.setdefault(name, terminal.pop(older))
