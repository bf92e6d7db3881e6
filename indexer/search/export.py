"""Exports hits as JSON lines and as CSV for spreadsheets."""

import re
from dataclasses import asdict

import msgspec

from indexer.search import Hit

COLUMNS = (
    "publication_date",
    "article_title",
    "canonical_domain",
    "language",
    "url",
    "indexed_date",
    "id",
    "score",
    "snippet",
)
"""The columns of CSV; `text_content` is optional."""

# Control characters can be commands to a terminal, and bidirectional marks can reorder its text.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters of a spreadsheet's formula, which may run programs."""


def json_line(hit: Hit) -> str:
    """Return all fields of a hit, its score and snippet as one line of JSON."""
    line = msgspec.json.encode(_fields(hit)).decode()
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", line) + "\n"


def csv_row(hit: Hit, columns: tuple[str, ...] = COLUMNS) -> list[str]:
    """Return the cells of a hit; no spreadsheet reads one as a formula."""
    fields = _fields(hit)
    return [_cell(fields[column]) for column in columns]


def _fields(hit: Hit) -> dict[str, str | float | None]:
    return asdict(hit.document) | {"score": hit.score, "snippet": hit.snippet}


def _cell(value: str | float | None) -> str:
    if value is None or isinstance(value, float):
        return "" if value is None else f"{value:g}"
    text = _CONTROL.sub("", value)
    return f"'{text}" if text.startswith(_FORMULA) else text
