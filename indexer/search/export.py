"""Hits for other programs: JSON lines, and CSV for spreadsheets."""

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
"""The columns of CSV; `text_content` is one more, if it is wanted."""

# What a terminal could take for a command, or that turns the text around it; none of it is text.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula, which may run programs."""


def json_line(hit: Hit) -> str:
    """All fields of a hit, its score and snippet, on one line, with a line break."""
    fields = asdict(hit.document) | {"score": hit.score, "snippet": hit.snippet}
    line = msgspec.json.encode(fields).decode()
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", line) + "\n"


def csv_row(hit: Hit, columns: tuple[str, ...] = COLUMNS) -> list[str]:
    """The cells of a hit: safe in a spreadsheet, where a text can't be a formula."""
    fields = asdict(hit.document) | {"score": hit.score, "snippet": hit.snippet}
    return [_cell(fields[column]) for column in columns]


def _cell(value: str | float | None) -> str:
    if value is None or isinstance(value, float):
        return "" if value is None else f"{value:g}"
    text = _CONTROL.sub("", value)
    return f"'{text}" if text.startswith(_FORMULA) else text
