"""Values of expanded JSON-LD, as the existing system makes them of keys and texts."""

from collections.abc import Iterable, Iterator
from itertools import islice
from math import isfinite
from typing import TypeAlias
from urllib.parse import urlsplit

from indexer.software.compat.jsonld.node import Value
from indexer.software.syntax.tree import Tree
from indexer.software.vocabulary.contexts import iri_of as full

Values: TypeAlias = Iterable[Value]

SPDX = "https://spdx.org/licenses/"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_DATE = full("schema:Date")
_MOST_PRINTED = 1_000
"""The most parts of a value that is printed as a text; aliases of YAML can make millions."""


def literal(value: Tree) -> Value:
    """Return a text, a number with its type, or the printed form of anything else (spec 5.3)."""
    match value:
        case str():
            return {"@value": value.encode("utf-8", "replace").decode()}
        case bool():
            return {"@value": value, "@type": f"{_XSD}boolean"}
        case int() | float():
            kind = "integer" if isinstance(value, int) else "double"
            # JSON has no number for infinity.
            number = value if isfinite(value) else str(value)
            return {"@value": number, "@type": _XSD + kind}
        case _:
            return {"@value": str(value)}


def texts(value: Tree) -> Iterator[Value]:
    """Yield the literal of a text, or of each item of a list; other values yield nothing."""
    if isinstance(value, str):
        yield literal(value)
    elif isinstance(value, list):
        yield from (literal(each) for each in value if _is_small(each))


def text(value: Tree) -> Iterator[Value]:
    """Yield the literal of a single text; other values, lists too, yield nothing."""
    if isinstance(value, str):
        yield literal(value)


def words(value: Tree) -> Iterator[Value]:
    """Yield the literal of each text of a list; other items yield nothing."""
    if isinstance(value, list):
        yield from (literal(each) for each in value if isinstance(each, str))


def dates(value: Tree) -> Iterator[Value]:
    """Yield a text, or each text of a list, as a date, whatever it says."""
    for each in value if isinstance(value, list) else [value]:
        yield from ({**found, "@type": _DATE} for found in text(each))


def links(value: Tree) -> Iterator[Value]:
    """Yield each text that is a URL."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, str) and is_url(each):
            yield {"@id": each}


def link(value: Tree) -> Iterator[Value]:
    """Yield a single text that is a URL; lists yield nothing."""
    if isinstance(value, str):
        yield from links(value)


def is_url(value: str) -> bool:
    """Whether a text has a network location and no blank (spec 5.3)."""
    try:
        return " " not in value and bool(urlsplit(value).netloc)
    except ValueError:
        return False


def licence(value: Tree) -> Iterator[Value]:
    """Yield the IRI under `spdx.org` of a text without a blank; whether it exists isn't checked."""
    if isinstance(value, str) and " " not in value:
        yield {"@id": value if value.startswith(SPDX) else SPDX + value}


def licences(value: Tree) -> Iterator[Value]:
    """Yield the IRI of each text of a list."""
    for each in value if isinstance(value, list) else ():
        yield from licence(each)


def person(**values: Tree) -> Value:
    """Return a person: `name` and `email` where they are texts, `url` where it is a URL."""
    node: Value = {"@type": [full("schema:Person")]}
    for name, value in values.items():
        if isinstance(value, str) and (found := list((links if name == "url" else texts)(value))):
            node[full(f"schema:{name}")] = found
    return node


def ordered(values: Values) -> Iterator[Value]:
    """Yield one list, whose order counts: authors."""
    yield {"@list": list(values)}


def _is_small(value: Tree) -> bool:
    return len(list(islice(_parts(value), _MOST_PRINTED))) < _MOST_PRINTED


def _parts(value: Tree) -> Iterator[Tree]:
    waiting = [value]
    while waiting:
        yield (each := waiting.pop())
        if isinstance(each, dict | list):
            waiting += each.values() if isinstance(each, dict) else each
