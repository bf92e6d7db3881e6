"""Versions in the names of archive files: `project-1.10-src.tgz` is newer than `project-1.9.zip`.

A name is `<package>`, `-` or `_`, an optional `v`, dotted numbers, suffixes, and an extension
(spec 3.5). The order is total: versions of any length, pre-releases before the version, and
post-releases after it. A name without a version is below all versions.
"""

import re
from typing import NamedTuple

_EXTENSION = re.compile(
    r"(?:\.(?:tar|tgz|tbz2?|txz|tzst|zip|gz|bz2|xz|zst|lzma|lz|z|7z|jar|gem|crate|whl|egg|deb"
    r"|rpm|deb))+$",
    re.IGNORECASE,
)
_VERSION = re.compile(r"(?:^|[-_])v?(\d+(?:\.\d+)*)((?:[-_.+~]?[A-Za-z0-9]+)*)$", re.IGNORECASE)
_SUFFIX = re.compile(r"([-_.+~]?)([A-Za-z]+|\d+)")

_PACKAGING = {"src", "source", "sources", "orig", "bin", "all", "dist", "full", "final", "ga"}
"""Suffixes that say how a version is packed; they don't change the order."""

_POST = {"post", "p", "patch", "pl", "rev", "r", "sp", "hotfix", "update"}
"""Words of post-releases; a suffix that begins with `+` is one, too."""

_PRE = {"dev": -5, "snapshot": -5, "nightly": -5, "a": -4, "alpha": -4, "b": -3, "beta": -3} | {
    "m": -3,
    "pre": -2,
    "preview": -2,
    "c": -1,
    "rc": -1,
}
"""Words of pre-releases, from the earliest to the last; other words come before all of them."""

_OTHER_PRE = -6


class ArchiveVersion(NamedTuple):
    """A version that can be compared with any other.

    `parts`: numbers without zeros at the end, so that 1.0 is 1; `suffixes`: a rank below 0 for a
    pre-release and above 0 for a post-release, the word, its number.
    """

    is_known: bool
    parts: tuple[int, ...] = ()
    suffixes: tuple[tuple[int, str, int], ...] = ()


UNKNOWN_VERSION = ArchiveVersion(is_known=False)

_END = (0, "", 0)
"""The end of the suffixes: after those of pre-releases, before those of post-releases."""

MAX_DIGITS = 40
"""Digits of a number; a longer one is a hash or a date without meaning as a version."""


def version_of(name: str) -> ArchiveVersion:
    """Return the version in the name of an archive file; UNKNOWN_VERSION if it has none."""
    stem = _EXTENSION.sub("", name.rpartition("/")[2])
    found = _first_version(stem)
    if found is None:
        return UNKNOWN_VERSION
    numbers = found[1].split(".")
    if max(map(len, numbers)) > MAX_DIGITS:
        return UNKNOWN_VERSION
    parts = [int(number) for number in numbers]
    while len(parts) > 1 and parts[-1] == 0:
        parts.pop()
    return ArchiveVersion(True, tuple(parts), (*_suffixes(found[2]), _END))


def _first_version(stem: str) -> re.Match[str] | None:
    # Names may have digits before the version: `log4j-2-api-2.17`; the last dotted number counts.
    starts = [match.start() for match in re.finditer(r"(?:^|[-_])v?\d", stem, re.IGNORECASE)]
    matches = [found for start in starts[-8:] if (found := _VERSION.match(stem, start))]
    dotted = [found for found in matches if "." in found[1]]
    return next(iter(dotted or matches), None)


def _suffixes(text: str) -> list[tuple[int, str, int]]:
    found: list[tuple[int, str, int]] = []
    word, rank = "", 0
    for separator, piece in _SUFFIX.findall(text):
        if piece.isdigit():
            number = int(piece[:MAX_DIGITS])
            if word:
                found[-1] = (rank, word, number)
            else:
                # `1.2-3` and `1.2+3`: revisions of the package.
                found.append((1, "", number))
            word = ""
        elif piece.lower() not in _PACKAGING:
            word = piece.lower()
            rank = 1 if separator == "+" or word in _POST else _PRE.get(word, _OTHER_PRE)
            found.append((rank, word, 0))
        else:
            word = ""
    return found
