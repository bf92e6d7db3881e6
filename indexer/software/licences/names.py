"""Names of licences as people write them, such as `The Apache License, Version 2.0`.

A name is reduced to the words that tell licences apart (`apache 2`). These words are looked up in
`names.tsv`, and then joined as in an SPDX identifier (`apache-2.0`). Names that fit several
licences, such as `BSD` and `GPL`, are in neither.
"""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from indexer.software.licences.identifiers import expression, table

MAX_NAME = 200
"""The most characters of a name: a longer text is a sentence or a licence itself."""

_NOISE = frozenset(
    {"the", "a", "gnu", "under", "only", "standalone", "version", "versions", "ver"}
    | {"license", "licence", "licenses", "licences", "licensed"}
)
"""Words that tell no licences apart."""

_PHRASES = (
    ("general public", "gpl"),
    ("lesser gpl", "lgpl"),
    ("library gpl", "lgpl"),
    ("library or lesser gpl", "lgpl"),
    ("affero gpl", "agpl"),
    ("free documentation", "gfdl"),
    ("apache software", "apache"),
    ("apache public", "apache"),
    ("mozilla public", "mpl"),
    ("eclipse public", "epl"),
    ("eclipse distribution", "edl"),
    ("european union public", "eupl"),
    ("common development and distribution", "cddl"),
    ("common public", "cpl"),
    ("boost software", "bsl"),
    ("creative commons", "cc"),
    ("attribution", "by"),
    ("share alike", "sa"),
    ("sharealike", "sa"),
    ("noncommercial", "nc"),
    ("non commercial", "nc"),
    ("noderivatives", "nd"),
    ("no derivatives", "nd"),
    ("noderivs", "nd"),
    ("cc zero", "cc 0"),
    ("cczero", "cc 0"),
    ("clauses", "clause"),
    ("two clause", "2 clause"),
    ("three clause", "3 clause"),
    ("international", ""),
    ("unported", ""),
    ("lgpl gpl", "lgpl"),
    ("agpl gpl", "agpl"),
)
"""Phrases and the shorter words for them, replaced in this order."""

_LATER = re.compile(
    r"\b(?:or|and) (?:at your option )?(?:any )?(?:later|newer|above|greater|higher)\b"
)
_AT_LEAST = re.compile(r">= ?v?(\d[\d.]*)")
_PUNCTUATION = re.compile(r"[\"'“”‘’`*,;:()\[\]_/\s–—-]+")
_BETWEEN = re.compile(r"(?<=[a-z])v?\.?(?=\d)|(?<=\d)(?=[a-z])|(?<=\w)(?=\+)|\bv\.? ?(?=\d)")
_UNDERSCORE = re.compile(r"(?<=\d)_(?=\d)")
_ZEROS = re.compile(r"(\d+)(?:\.0)+")


def expression_of_name(name: str) -> str | None:
    """Return the SPDX expression that a name stands for without doubt, or None."""
    if len(name) > MAX_NAME:
        return None
    words = reduced(name)
    return _known().get(words) or _as_identifier(words)


def reduced(name: str) -> str:
    """Return the words of a name that tell licences apart: `GNU GPL v3 or later` → `gpl 3 +`."""
    text = _PUNCTUATION.sub(" ", _UNDERSCORE.sub(".", name.casefold()))
    text = _LATER.sub(" + ", _AT_LEAST.sub(r"\1 +", text))
    words = [_version(word) for word in _BETWEEN.sub(" ", text).split()]
    text = f" {' '.join(word for word in words if word and word not in _NOISE)} "
    for phrase, short in _PHRASES:
        if phrase in text:
            text = text.replace(f" {phrase} ", f" {short} ")
    return " ".join(_once(text.split()))


def _version(word: str) -> str:
    word = word.strip(".")
    zeros = _ZEROS.fullmatch(word)
    return zeros[1] if zeros else word


def _once(words: list[str]) -> list[str]:
    # Names often contain their short form in parentheses: `MIT License (MIT)`, `GNU GPL (GPL) v3`.
    words = [word for at, word in enumerate(words) if not at or word != words[at - 1]]
    half, odd = divmod(len(words), 2)
    return words[:half] if half and not odd and words[:half] == words[half:] else words


def _as_identifier(words: str) -> str | None:
    joined = words.replace(" +", "+").replace(" ", "-")
    if not joined or joined.startswith("licenseref"):
        return None
    with_zero = re.sub(r"(?<=-\d)(\+?)$", r".0\1", joined)
    return expression(with_zero) or expression(joined)


@cache
def _known() -> Mapping[str, str]:
    return MappingProxyType({reduced(name): found for name, found in table("names").items()})
