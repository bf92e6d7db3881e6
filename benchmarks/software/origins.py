"""Synthetic origins with metadata, the same for the same seed.

Words are drawn by Zipf's law (the word of rank r has weight 1/r) from a vocabulary of 60,000
invented words. An origin has

    name         one word of its own (a third), or two or three words of the vocabulary; every
                 twentieth has the name of an earlier origin, as forks have
    keywords     0 to 6 words;  description: 8 to 40 words;  author: 1 to 3 of 100,000 persons
    licence      one of 12, language: one of 15, mapping: one of 9, a few values much more often
    others       version, repository and issue tracker
"""

import random
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import Any

from indexer.software.store.origins import OriginMetadata
from indexer.software.store.rows import OriginMetadataRow

VOCABULARY = 60_000
PERSONS = 100_000
LICENSES = (
    *("MIT", "Apache-2.0", "GPL-3.0-or-later", "BSD-3-Clause", "ISC", "GPL-2.0-only"),
    *("LGPL-3.0-only", "MPL-2.0", "AGPL-3.0-only", "Unlicense", "EPL-2.0", "BSL-1.0"),
)
LANGUAGES = ("JavaScript", "Python", "Java", "C", "C++", "Go", "Ruby", "PHP", "Rust", "R",
             "Shell", "Perl", "Haskell", "Julia", "Fortran")  # fmt: skip
MAPPINGS = (
    "npm",
    "maven",
    "pkg-info",
    "composer",
    "gemspec",
    "cff",
    "codemeta",
    "nuget",
    "pubspec",
)
_SYLLABLES = [first + vowel for first in "bcdfghjklmnprstvwz" for vowel in "aeiou"]


@cache
def vocabulary() -> tuple[str, ...]:
    """The words, the most common first."""
    chance = random.Random(1)  # noqa: S311 - as below
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        words["".join(chance.choices(_SYLLABLES, k=chance.randint(2, 5)))] = None
    return tuple(words)


@cache
def _weights(number: int) -> list[float]:
    return list(accumulate(1 / rank for rank in range(1, number + 1)))


class Origins:
    """A number of origins, one after the other."""

    def __init__(self, number: int, seed: int = 7) -> None:
        self._number = number
        self._chance = random.Random(seed)  # noqa: S311 - variety, not secrecy
        self.names: list[str] = []

    def __iter__(self) -> Iterator[OriginMetadata]:
        """Make the origins; `names` has the names of those made so far."""
        for number in range(self._number):
            name = self._name(number)
            self.names.append(name)
            yield self._origin(number, name)

    def _origin(self, number: int, name: str) -> OriginMetadata:
        url = f"https://git.example/{self._chance.getrandbits(40):010x}/{number}"
        row = OriginMetadataRow(
            url,
            1,
            self._document(name, url),
            (self._one(MAPPINGS),),
            head=f"swh:1:rev:{number:040x}",
        )
        return OriginMetadata(url, row)

    def _document(self, name: str, url: str) -> dict[str, Any]:
        chance = self._chance
        return {
            "@context": "https://w3id.org/codemeta/3.0",
            "type": "SoftwareSourceCode",
            "name": name,
            "version": f"{chance.randint(0, 9)}.{chance.randint(0, 30)}.0",
            "keywords": self._words(chance.randint(0, 6)),
            "description": " ".join(self._words(chance.randint(8, 40))),
            "author": [
                {"type": "Person", "name": f"Person {chance.randrange(PERSONS)}"}
                for _ in range(chance.randint(1, 3))
            ],
            "license": f"https://spdx.org/licenses/{self._one(LICENSES)}",
            "programmingLanguage": self._one(LANGUAGES),
            "codeRepository": url,
            "issueTracker": f"{url}/issues",
        }

    def _name(self, number: int) -> str:
        chance = self._chance
        if number % 20 == 19:
            return chance.choice(self.names)
        if number % 3 == 0:
            return f"{''.join(chance.choices(_SYLLABLES, k=3))}{number:x}"
        return "-".join(self._words(chance.randint(2, 3)))

    def _words(self, number: int) -> list[str]:
        return self._chance.choices(vocabulary(), cum_weights=_weights(VOCABULARY), k=number)

    def _one(self, values: tuple[str, ...]) -> str:
        return self._chance.choices(values, cum_weights=_weights(len(values)))[0]
