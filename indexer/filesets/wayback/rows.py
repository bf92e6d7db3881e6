"""The rows of the web archive's index: read from an answer, and the best one chosen (spec 3.2).

JSON → header and rows → those that can be used → revisits with the status of their originals → best
"""

import base64
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from indexer.errors import FilesetError

CDX_ERROR: Final = "cdx-error"

COLUMNS: Final = (
    *("urlkey", "timestamp", "original", "mimetype", "statuscode", "digest"),
    *("redirect", "robotflags", "length", "offset", "filename"),
)
PUBLIC_COLUMNS: Final = (*COLUMNS[:6], "length")
"""The columns for those who have no token."""

REVISIT: Final = "warc/revisit"
SUCCESSFUL: Final = (200, 226)
"""The statuses of a whole body: of HTTP, and of FTP."""

_REDIRECTS = (301, 302, 303, 307, 308)
_NONE = "-"
_TIMESTAMP = re.compile(r"\d{14}")
_SHA1 = re.compile(r"[A-Z2-7]{32}")


@dataclass(frozen=True, slots=True)
class CDXRow:
    """A capture, by the names of `cdx` in results; a status that the row lacks is None."""

    surt: str
    datetime: str
    url: str
    mimetype: str
    status_code: int | None
    sha1b32: str
    warc_csize: int | None = None
    warc_offset: int | None = None
    warc_path: str | None = None

    @property
    def sha1hex(self) -> str:
        """The SHA-1 of the captured bytes."""
        return base64.b32decode(self.sha1b32).hex()

    @property
    def is_revisit(self) -> bool:
        """Whether the capture refers to an earlier one with the same bytes."""
        return self.mimetype == REVISIT

    @property
    def is_success(self) -> bool:
        """Whether the capture has the body of the URL, as far as its row tells."""
        return self.status_code in (*SUCCESSFUL, None)

    @property
    def is_redirect(self) -> bool:
        """Whether the capture redirects to another URL."""
        return self.status_code in _REDIRECTS

    @property
    def facts(self) -> dict[str, Any]:
        """The object `cdx` of results, without nulls."""
        found = {name: getattr(self, name) for name in self.__slots__}
        found["sha1hex"] = self.sha1hex
        return {name: value for name, value in found.items() if value is not None}


class ChosenRow(NamedTuple):
    """A capture with its own record, and the revisit that led to it, if any."""

    row: CDXRow
    revisit: CDXRow | None = None


def read_rows(body: bytes) -> list[CDXRow]:
    """The rows of an answer that can be used. Raises FilesetError (`cdx-error`)."""
    if not body.strip():
        return []
    try:
        lines = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise FilesetError(CDX_ERROR, "the answer of the index is no JSON") from error
    if not isinstance(lines, list) or not all(map(_is_line, lines)):
        raise FilesetError(CDX_ERROR, "the answer of the index is no list of rows")
    if not lines:
        return []
    header, *rows = lines
    if tuple(header) not in (COLUMNS, PUBLIC_COLUMNS):
        raise FilesetError(CDX_ERROR, f"unknown columns: {' '.join(header)[:200]}")
    if any(len(row) != len(header) for row in rows):
        raise FilesetError(CDX_ERROR, f"a row without its {len(header)} columns")
    found = (_row(dict(zip(header, row, strict=True))) for row in rows)
    return [row for row in found if row is not None]


def best(
    rows: Sequence[CDXRow],
    url: str,
    mimetype: str = "",
    datetime: str = "",
    *,
    exact: bool = False,
) -> ChosenRow | None:
    """The best capture of a URL; None without any.

    `mimetype` and `datetime` (14 digits) are those that are wanted, "" for any; with `exact` no
    capture of another time is chosen.
    """
    known = [_with_status(row, rows) for row in rows if not exact or row.datetime == datetime]
    if not known:
        return None
    chosen = max(known, key=lambda row: _rank(row, url, mimetype, datetime))
    original = _original(chosen, rows)
    return ChosenRow(original, chosen) if original else ChosenRow(chosen)


def _rank(row: CDXRow, url: str, mimetype: str, datetime: str) -> tuple[Any, ...]:
    """The order of spec 3.2."""
    return (
        row.url == url,
        row.status_code in SUCCESSFUL,
        -(row.status_code or 999),
        row.mimetype == mimetype,
        not row.is_revisit,
        row.datetime[:4] == datetime[:4],
        row.datetime,
        "/" in (row.warc_path or ""),
    )


def _with_status(row: CDXRow, rows: Iterable[CDXRow]) -> CDXRow:
    """A revisit with the status of its original: its own row has none."""
    original = _original(row, rows) if row.status_code is None else None
    return replace(row, status_code=original.status_code) if original else row


def _original(row: CDXRow, rows: Iterable[CDXRow]) -> CDXRow | None:
    """The newest capture of the bytes that a revisit refers to; None for other rows."""
    if not row.is_revisit:
        return None
    same = (each for each in rows if each.sha1b32 == row.sha1b32 and not each.is_revisit)
    earlier = [each for each in same if each.datetime <= row.datetime]
    return max(earlier, key=lambda each: each.datetime, default=None)


def _row(found: dict[str, str]) -> CDXRow | None:
    """The row; None for one that names no bytes, or whose digest is no SHA-1."""
    # The columns of the WARC file are "-" for captures that were withdrawn.
    if _NONE in (found["length"], found.get("offset"), found.get("filename")):
        return None
    if not _SHA1.fullmatch(found["digest"]) or not _TIMESTAMP.fullmatch(found["timestamp"]):
        return None
    return CDXRow(
        found["urlkey"],
        found["timestamp"],
        found["original"],
        found["mimetype"],
        _status(found),
        found["digest"],
        _number(found["length"]),
        _number(found.get("offset", "")),
        found.get("filename"),
    )


def _status(found: dict[str, str]) -> int | None:
    is_ftp = found["original"].lower().startswith("ftp://")
    if found["statuscode"] == _NONE and is_ftp and found["mimetype"] != REVISIT:
        return 226
    return _number(found["statuscode"])


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else None


def _is_line(line: object) -> bool:
    return isinstance(line, list) and all(isinstance(each, str) for each in line)
