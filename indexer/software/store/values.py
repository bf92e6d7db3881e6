"""Values as both databases store them, and documents in one order of terms.

PostgreSQL refuses NULs and lone surrogates, and forgets the order of keys: on SQLite the values are
changed in the same way, so both return the same bytes.
"""

import math
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from indexer.software.vocabulary.contexts import terms

DESCRIBING = frozenset({"@context", "type", "@type", "id", "@id"})
"""Terms that state nothing about the software."""

MAX_DEPTH = 100
"""The most levels of a document; deeper values are left out."""

_SURROGATE = re.compile("[\ud800-\udfff]")


def storable(value: Any, depth: int = 0) -> Any:
    """Return a value without NULs, and with keys in the order of the context of CodeMeta.

    NULs are removed from texts and keys (spec 8), lone surrogates become U+FFFD; infinite numbers
    become None.
    """
    if depth > MAX_DEPTH:
        return None
    match value:
        case str():
            return _SURROGATE.sub("\ufffd", value.replace("\x00", ""))
        case Mapping():
            pairs = {storable(str(name)): storable(each, depth + 1) for name, each in value.items()}
            return {name: pairs[name] for name in sorted(pairs, key=_place)}
        case list() | tuple():
            return [storable(each, depth + 1) for each in value]
        case float() if not math.isfinite(value):
            return None
    return value


def says_something(document: Mapping[str, Any] | None) -> bool:
    """Whether a document has more than its context and its type (spec 2.1)."""
    return document is not None and not document.keys() <= DESCRIBING


def _place(name: str) -> tuple[int, str]:
    return _order().get(name, len(_order())), name


@cache
def _order() -> Mapping[str, int]:
    first = ("@context", "@id", "id", "@type", "type", "@value", "@list")
    names = dict.fromkeys([*first, *terms("2.0"), *terms("3.0")])
    return {name: number for number, name in enumerate(names)}
