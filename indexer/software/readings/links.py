"""Links: absolute URLs are IRIs, and all other texts stay literals. No base is ever invented."""

import re
from collections.abc import Iterator

from indexer.software.readings.texts import texts
from indexer.software.rules.property import Diagnostics
from indexer.software.syntax.tree import Tree, below

_ABSOLUTE = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*:(?://[^\s/<>\"{}|\\^`][^\s<>\"{}|\\^`]*|(?!//)[^\s<>\"{}|\\^`]+)"
)
"""An IRI that JSON-LD can hold: a scheme, and no character that RFC 3987 excludes."""


def is_iri(text: str) -> bool:
    """Whether a text is an absolute IRI (RFC 3987)."""
    return _ABSOLUTE.fullmatch(text) is not None


def literal(text: str) -> Tree:
    """Return the value of a text in a term of IRIs: it stays a literal."""
    return {"@value": text}


def links(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    """Yield each absolute URL; another text stays a literal, with a diagnostic."""
    for text, where in texts(value, place, diagnostics):
        if isinstance(text, str) and is_iri(text):
            yield text, where
        else:
            diagnostics.add(where, "not an absolute URL: kept as a text", text)
            yield literal(str(text)), where


def links_or_texts(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    """Yield each text of a term that may as well be a link, such as the name of a licence file."""
    for text, where in texts(value, place, diagnostics):
        yield (text if is_iri(str(text)) else literal(str(text))), where


def links_of_objects(
    value: Tree, place: str, diagnostics: Diagnostics
) -> Iterator[tuple[Tree, str]]:
    """Yield each absolute URL of a text, of an object with a `url`, or of a list of them."""
    for number, item in enumerate(value if isinstance(value, list) else [value]):
        where = below(place, number) if isinstance(value, list) else place
        if isinstance(item, dict):
            if "url" in item:
                yield from links(item["url"], below(where, "url"), diagnostics)
            for key in item:
                if key not in ("url", "type"):
                    diagnostics.add(below(where, key), "not kept: only the URL is", item[key])
        else:
            yield from links(item, where, diagnostics)
