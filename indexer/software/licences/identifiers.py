"""SPDX expressions: their syntax, and identifiers that replaced others."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

IRI = "https://spdx.org/licenses/"
"""What comes before an identifier in its IRI."""

MAX_EXPRESSION = 1000
"""The most characters of a text that is read as an expression."""

_IDENTIFIER = re.compile(r"(?!licenseref-)[a-z0-9][a-z0-9.-]*", re.IGNORECASE)
_WORDS = re.compile(r"[^\s()]+")


@lru_cache(maxsize=10_000)
def expression(text: str) -> str | None:
    """Return a valid SPDX expression as SPDX writes it, or None for another text.

    Deprecated identifiers are replaced, so `gpl-2.0+ or mit` is `GPL-2.0-or-later OR MIT`.
    """
    if len(text) > MAX_EXPRESSION:
        return None
    try:
        found = canonicalize_license_expression(text)
    except (InvalidLicenseExpression, RecursionError, MemoryError):
        return None
    return _WORDS.sub(lambda word: table("deprecated").get(word[0].lower(), word[0]), found)


def alternatives(found: str) -> list[str]:
    """Return the alternatives of a canonical expression: itself, unless only OR joins it."""
    words = found.replace("(", " ").replace(")", " ").split()
    if "AND" in words or "WITH" in words:
        return [found]
    return [word for word in words if word != "OR"]


def is_identifier(found: str) -> bool:
    """Whether a canonical expression is one identifier of the SPDX list, and so has an IRI."""
    return _IDENTIFIER.fullmatch(found) is not None


@cache
def table(name: str) -> Mapping[str, str]:
    """Return a table of this folder: what stands for which expression, in lower case."""
    text = (files(__package__) / f"{name}.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return MappingProxyType({key.lower(): value for key, value in rows})
