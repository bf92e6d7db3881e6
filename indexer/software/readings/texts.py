"""Texts, keywords and numbers that are written as texts."""

import re
from collections.abc import Iterator

from indexer.software.rules.property import Diagnostics
from indexer.software.syntax.tree import Tree, below, kind

_SEPARATORS = re.compile(r"[,;\n]")


def texts(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    """Yield each text that is not blank, of a text, a number or a list of them."""
    if isinstance(value, str):
        if text := value.strip():
            yield text, place
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from texts(item, below(place, number), diagnostics)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value), place
    elif value is not None:
        diagnostics.add(place, f"{kind(value)}, where a text belongs", value)


def keywords(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    """Yield each keyword of a list, or of a text: split at commas if it has any, else at blanks."""
    for text, where in texts(value, place, diagnostics):
        if isinstance(value, list) or not isinstance(text, str):
            yield text, where
            continue
        pieces = _SEPARATORS.split(text) if _SEPARATORS.search(text) else text.split()
        yield from ((stripped, where) for piece in pieces if (stripped := piece.strip()))
