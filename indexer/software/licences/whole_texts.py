"""Whole texts of licences, as some manifests have them where a name belongs.

Each licence is told by phrases of its text, in `texts.tsv`. Licences whose text doesn't say whether
later versions may be chosen, such as the GPL, are not in the table.
"""

import re
from functools import cache
from importlib.resources import files

MIN_TEXT = 300
"""The fewest characters of the text of a licence."""

MAX_TEXT = 50_000
"""The most characters of a text that is searched for phrases."""

_WORDS = re.compile(r"[^\W_]+")


def identifier_of_text(text: str) -> str | None:
    """Return the SPDX identifier of the one licence whose text a text contains, or None."""
    if not MIN_TEXT <= len(text) <= MAX_TEXT:
        return None
    words = _normal(text)
    found = [
        identifier
        for identifier, phrases, others in _table()
        if all(phrase in words for phrase in phrases) and not any(each in words for each in others)
    ]
    return found[0] if len(found) == 1 else None


def _normal(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold()))


@cache
def _table() -> tuple[tuple[str, list[str], list[str]], ...]:
    """The identifier of each licence, phrases of its text, and phrases that it doesn't have."""
    lines = (files(__package__) / "texts.tsv").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return tuple((row[0], _phrases(row[1]), _phrases(row[2])) for row in rows)


def _phrases(cell: str) -> list[str]:
    return [_normal(phrase) for phrase in cell.split(" … ") if phrase]
