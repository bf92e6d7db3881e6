"""Texts, keywords and numbers that are written as texts."""

import re
from collections.abc import Iterator

from indexer.software.rules.key_rule import Readings
from indexer.software.rules.property import Diagnostics
from indexer.software.syntax.tree import Tree, below, kind

_SEPARATORS = re.compile(r"[,;\n]")


def texts(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    """Yield each text that is not blank, of a text, a number or a list of them."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value), place
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from texts(item, below(place, number), diagnostics)
    else:
        yield from strings(value, place, diagnostics)


def strings(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[str, str]]:
    """Yield each text that is not blank, of a text or a list; a number is none (spec 5.3)."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            if isinstance(item, str):
                if text := item.strip():
                    yield text, f"{place}/{number}"
            else:
                yield from strings(item, below(place, number), diagnostics)
    elif isinstance(value, str):
        if text := value.strip():
            yield text, place
    elif value is not None:
        diagnostics.add(place, f"{kind(value)}, where a text belongs", value)


def keywords(value: Tree, place: str, diagnostics: Diagnostics) -> Readings:
    """Yield each keyword of a list, or of a text: split at commas if it has any, else at blanks."""
    found = strings(value, place, diagnostics)
    return found if isinstance(value, list) else _keywords_of_text(found)


def _keywords_of_text(found: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for text, place in found:
        pieces = _SEPARATORS.split(text) if _SEPARATORS.search(text) else text.split()
        yield from ((stripped, place) for piece in pieces if (stripped := piece.strip()))
