"""Exports hits as JSON lines and as CSV for spreadsheets."""

import re
from collections.abc import Sequence

import msgspec

from indexer.search import Hit
from indexer.search.language.schema import Json, Schema
from indexer.system.escaping import escaped

# A text that has what `escaped` writes: its backslash is escaped, too, so that every cell can be
# read back.
_ESCAPE = re.compile(r"\\(?=u[0-9a-f]{4})")

_FORMULA = ("=", "+", "-", "@", "\t")
"""First characters of a spreadsheet's formula, which may run programs."""


def columns(schema: Schema) -> tuple[str, ...]:
    """Return the columns of CSV: the exported fields, then the id and the facts of the hit."""
    exported = (field.name for field in schema.fields if field.exported)
    return (*exported, "id", "score", "snippet")


def json_line(hit: Hit, schema: Schema) -> str:
    """Return all fields of a hit, its score and snippet as one line of JSON."""
    fields: dict[str, Json] = {"id": hit.document.id}
    fields |= {name: hit.document.get(name) for name in schema.names}
    line = msgspec.json.encode(fields | {"score": hit.score, "snippet": hit.snippet}).decode()
    return escaped(line) + "\n"


def csv_row(hit: Hit, columns: Sequence[str]) -> list[str]:
    r"""Return the cells of a hit; no spreadsheet reads one as a formula.

    Hidden characters are `escaped`: each `\uXXXX` in a cell stands for one.
    """
    facts: dict[str, Json] = {
        "id": hit.document.id,
        "score": float(f"{hit.score:g}"),
        "snippet": hit.snippet,
    }
    fields = {**hit.document.values, **facts}
    return [_cell(fields.get(column)) for column in columns]


def _cell(value: Json) -> str:
    match value:
        case None:
            return ""
        case bool() | int() | float():
            return str(value).lower().removesuffix(".0")
        case str():
            return _safe(value)
        case list() if all(isinstance(each, str) for each in value):
            return _safe("; ".join(map(str, value)))
        case _:
            return _safe(msgspec.json.encode(value).decode())


def _safe(text: str) -> str:
    text = escaped(_ESCAPE.sub(r"\\u005c", text))
    return f"'{text}" if text.startswith(_FORMULA) else text
