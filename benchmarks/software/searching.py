"""Searches for software in an SQLite file: CPU milliseconds of a page of 20 hits with their number.

    python -m benchmarks software searching --origins 1000000 --index /tmp/software.sqlite3

`origins.py` describes the synthetic origins. The mix has, in equal parts: names of origins; a word
of one half of a name with a filter by licence; two words of medium frequency (rank 300 to 20,000);
one such word; a phrase of two words of a name. Common words (rank 1 to 60), prefixes of three
letters, and facets of words of all frequencies are measured apart.

The rank of an exact name is that of the first hit with this name; names of forks are among them.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path

from benchmarks.software.origins import LICENSES, Origins, vocabulary
from indexer.search import SearchIndex, open_index
from indexer.software.searching.documents import exact_name, origin_document
from indexer.software.searching.fields import FACETS, SOFTWARE_FIELDS
from indexer.software.searching.search import SoftwareQuery, count_hits, facets_of, search_page
from indexer.software.searching.tiers import tree_of
from indexer.text.chunks import chunks

BATCH = 5000
EACH = 200
"""Queries of each kind."""


class Mix:
    """Queries of each kind, drawn by chance from the names of the index."""

    def __init__(self, names: Sequence[str], seed: int = 3) -> None:
        self._names = names
        self._chance = random.Random(seed)  # noqa: S311 - variety, not secrecy

    def name(self) -> str:
        """The name of an origin, as a person types it."""
        return self._chance.choice(self._names).replace("-", " ")

    def filtered(self) -> str:
        """A word of a name, and a licence."""
        return f"{self.name().split()[0]} license:{self._chance.choice(LICENSES)}"

    def word(self) -> str:
        """A word of medium frequency."""
        return vocabulary()[self._chance.randint(300, 20_000)]

    def pair(self) -> str:
        """Two words of medium frequency."""
        return f"{self.word()} {self.word()}"

    def phrase(self) -> str:
        """The beginning of a name as a phrase."""
        return f'"{" ".join(self.name().split()[:2])}"'

    def common(self) -> str:
        """One of the most common words."""
        return vocabulary()[self._chance.randrange(60)]

    def prefix(self) -> str:
        """The beginning of a word."""
        return f"{self._chance.choice(vocabulary())[:3]}*"

    def any_word(self) -> str:
        """A word of any frequency."""
        return self._chance.choice((self.common, self.word))()


def filled(path: Path, number: int) -> tuple[SearchIndex, list[str]]:
    """Open the index of so many origins, and make it if it does not exist; also their names."""
    index = open_index(f"sqlite:///{path}", SOFTWARE_FIELDS)
    origins = Origins(number)
    is_new = not path.exists()
    before = time.process_time()
    for some in chunks(origins, BATCH):
        if is_new:
            index.add([document for each in some if (document := origin_document(each))])
    if is_new:
        spent = time.process_time() - before
        print(f"{number:,} origins indexed, {number / spent:,.0f} a CPU-second", flush=True)
    return index, origins.names


def page(index: SearchIndex, text: str) -> None:
    """Search for a page, and count all hits."""
    query = SoftwareQuery(tree_of(text))
    search_page(index, query)
    count_hits(index, query)


def facets(index: SearchIndex, text: str) -> None:
    """Count the values of all facets."""
    facets_of(index, SoftwareQuery(tree_of(text)), FACETS)


def milliseconds(
    index: SearchIndex, texts: Iterable[str], search: Callable[[SearchIndex, str], None] = page
) -> list[float]:
    """Search for each text; return the CPU milliseconds, user and system, in ascending order."""
    found = []
    for text in texts:
        before = time.process_time()
        search(index, text)
        found.append(1000 * (time.process_time() - before))
    return sorted(found)


def reciprocal_rank(index: SearchIndex, name: str) -> float:
    """The reciprocal rank of the first hit with a name; 0 if it is not among 20 hits."""
    hits, _ = search_page(index, SoftwareQuery(tree_of(name)))
    exact = exact_name(name)
    ranks = (rank for rank, hit in enumerate(hits, 1) if hit.document.text("exact") == exact)
    return 1 / next(ranks, float("inf"))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a line for each kind of query."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--origins", type=int, default=100_000)
    parser.add_argument("--index", type=Path, help="file that is made, or used again")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        index, names = filled(given.index or Path(folder) / "index.sqlite3", given.origins)
        with closing(index):
            _report(index, Mix(names))


def _report(index: SearchIndex, mix: Mix) -> None:
    kinds = (mix.name, mix.filtered, mix.pair, mix.word, mix.phrase)
    texts = [draw() for _ in range(EACH) for draw in kinds]
    _line("mix", milliseconds(index, texts))
    for draw in (*kinds, mix.common, mix.prefix):
        _line(draw.__name__, milliseconds(index, (draw() for _ in range(EACH))))
    _line("facets", milliseconds(index, (mix.any_word() for _ in range(EACH)), facets))
    ranks = [reciprocal_rank(index, mix.name()) for _ in range(EACH)]
    print(f"mean reciprocal rank of {EACH} exact names: {sum(ranks) / len(ranks):.3f}")


def _line(name: str, found: Sequence[float]) -> None:
    median, p95 = found[len(found) // 2], found[int(len(found) * 0.95)]
    print(
        f"{name:10} median {median:7.1f} ms   p95 {p95:7.1f} ms   most {found[-1]:7.1f} ms",
        flush=True,
    )


if __name__ == "__main__":
    main()
