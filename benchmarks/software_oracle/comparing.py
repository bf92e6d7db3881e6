"""Comparison of two documents: which differences are corrections, and for which reason."""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from benchmarks.software_oracle.environment import Answer

BASE = "http://example.org/base/"
"""The base IRI that the existing system invents."""

ORDERED = ("author", "@list")
"""Keys whose arrays have an order; all other arrays are sets."""

Document = dict[str, Any] | None


class Correction(NamedTuple):
    """A difference that is wanted, and how it is recognised."""

    name: str
    reason: str
    applies: "Callable[[Compared], bool]"


class Compared(NamedTuple):
    """A file, and what both systems say of it."""

    content: bytes
    theirs: Answer
    ours: Document


def canonical(value: Any, key: str = "") -> Any:
    """Return a value with its keys in order, and its arrays, unless their order counts."""
    if isinstance(value, dict):
        return {name: canonical(value[name], name) for name in sorted(value)}
    if isinstance(value, list):
        items = [canonical(each) for each in value]
        return items if key in ORDERED else sorted(items, key=text)
    return value


def text(value: Any) -> str:
    """Return a value as JSON, keys in order."""
    return json.dumps(value, sort_keys=True)


def is_equal(theirs: Any, ours: Any) -> bool:
    """Whether two documents say the same."""
    return text(canonical(theirs)) == text(canonical(ours))


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {name: _changed(each, change) for name, each in value.items()}
    if isinstance(value, list):
        return [_changed(each, change) for each in value]
    return change(value) if isinstance(value, str) else value


def _without_base(each: Compared) -> bool:
    found = _changed(each.theirs.document, lambda one: one.removeprefix(BASE))
    said = text(each.theirs.document)
    return BASE in said and is_equal(_with_scheme(found), _with_scheme(each.ours))


def _with_scheme(value: Any) -> Any:
    return _changed(value, lambda each: f"http:{each}" if each.startswith("//") else each)


def _above_base(each: Compared) -> bool:
    is_path = re.search(rb'"(?:\.\.?)?/', each.content) is not None
    return is_path and "http://example.org/" in text(each.theirs.document)


CORRECTIONS = (
    Correction(
        "crash",
        "an exception escapes the existing system; `compat` has a document or none",
        lambda each: bool(each.theirs.error),
    ),
    Correction(
        "invented base", "a relative IRI stays as it is written (spec 5.3, 10)", _without_base
    ),
    Correction(
        "base and path", "`../x` and `/x` are resolved against the invented base", _above_base
    ),
    Correction(
        "scheme of the base",
        "`//host/x` gets the scheme of the invented base",
        lambda each: is_equal(each.theirs.document, _with_scheme(each.ours)),
    ),
    Correction(
        "empty author list",
        "it stays beside single authors; with any other list the existing system crashes",
        lambda each: all(one in text(each.ours) for one in ('"author": []', '"schema:author"')),
    ),
    Correction(
        "entities",
        "a deposit that defines XML entities is refused: they can grow without bounds",
        lambda each: b"<!ENTITY" in each.content and each.ours is None,
    ),
    Correction(
        "half a character",
        "a lone surrogate is a question mark: no database can hold it",
        lambda each: rb"\ud" in each.content.lower() and each.ours is not None,
    ),
    Correction(
        "no number",
        "NaN and infinity are texts, because JSON has no such numbers",
        lambda each: re.search("NaN|Infinity", text(each.theirs.document)) is not None,
    ),
)
"""The corrections, the first that applies counts."""


def verdict(found: Compared) -> str:
    """Return "equal", the name of the correction, or "different"."""
    if not found.theirs.error and is_equal(found.theirs.document, found.ours):
        return "equal"
    return next((each.name for each in CORRECTIONS if each.applies(found)), "different")
