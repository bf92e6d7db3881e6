"""Generated stories for the search indexes: as long as agency reports, with a real text's words.

The words have the frequencies of a language (Zipf's law): the first ones are in nearly all stories,
and half of the vocabulary is in few. Domains are as unequal. All is the same in every run.
"""

import os
import random
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import accumulate

from indexer.search import Document

VOCABULARY = 60_000
LETTERS = "etaoinshrdlucmfwypvbgk"
FIRST_DAY = date(2022, 1, 1)
DAYS = 1200
SEED = 20260213


def number(default: int) -> int:
    """The number of stories of a benchmark: that of the variable BENCH_STORIES, or the default."""
    return int(os.environ.get("BENCH_STORIES") or default)


def vocabulary() -> list[str]:
    """Made-up words, the most frequent first."""
    chance = random.Random(SEED)  # noqa: S311 - variety, not secrecy
    found: dict[str, None] = {}
    while len(found) < VOCABULARY:
        length = chance.randint(2, 4) if len(found) < 200 else chance.randint(4, 11)
        found["".join(chance.choices(LETTERS, k=length))] = None
    return list(found)


def documents(number: int) -> Iterator[Document]:
    """Stories of 60 to 440 words, about 1.6 kB."""
    chance = random.Random(SEED)  # noqa: S311 - as above
    words = vocabulary()
    weights = list(accumulate(1 / (rank + 2.7) for rank in range(len(words))))
    for place in range(number):
        text = chance.choices(words, cum_weights=weights, k=chance.randint(60, 440))
        text[::17] = [word.capitalize() for word in text[::17]]
        text[16::17] = [f"{word}." for word in text[16::17]]
        text[5::17] = [f"{word}," for word in text[5::17]]
        yield _document(place, " ".join(text), chance)


def domain(rank: int) -> str:
    """A domain; the first one has most stories."""
    return f"site-{rank}.example"


def _document(place: int, text: str, chance: random.Random) -> Document:
    day = FIRST_DAY + timedelta(days=chance.randrange(DAYS))
    host = domain(min(int(chance.paretovariate(0.7)), 3000))
    return Document(
        f"{place:064x}",
        {
            "publication_date": day.isoformat(),
            "article_title": text[:60].strip(),
            "canonical_domain": host,
            "language": chance.choice(("en", "en", "en", "es", "de", "fr")),
            "url": f"https://{host}/{place}",
            "indexed_date": f"{day}T03:04:05.{place % 1_000_000:06}",
            "text_content": text,
        },
    )
