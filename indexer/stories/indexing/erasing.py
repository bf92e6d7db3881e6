"""Take-down: deletes the documents of a list of URLs from an index (stories.md 9.2).

    URLs → not settled by an earlier run → batches → deleted → a durable line each in the report

Archives stay as they are; `archiving.finding` finds the archives of a URL.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from indexer.errors import SearchError
from indexer.files.journal import Journal, entries
from indexer.search import Erased, SearchIndex
from indexer.stories.queuers.url_lists import ListedURL
from indexer.system.loggers import get_logger
from indexer.system.patience import Patience
from indexer.text.chunks import chunks

log = get_logger()

ATTEMPTS, FIRST_PAUSE, LONGEST_PAUSE = 8, 1.0, 60.0
"""Attempts at a batch while every request to the index fails; the pause in seconds doubles."""


class ErasureResult(StrEnum):
    """The result for one URL of a list."""

    DELETED = "deleted"
    MISSING = "missing"
    FAILED = "failed"
    BAD_URL = "bad-url"


SETTLED = (ErasureResult.DELETED, ErasureResult.MISSING)
"""Results after which a URL needs no further attempt."""


@dataclass(slots=True)
class Count:
    """Numbers of lines in a list of URLs.

    `before`: settled by an earlier run. `repeated`: listed before. `bad`: not a URL.
    """

    urls: int = 0
    before: int = 0
    repeated: int = 0
    bad: int = 0

    @property
    def wanted(self) -> int:
        """The number of URLs to delete."""
        return self.urls - self.before - self.repeated - self.bad


@dataclass(frozen=True, slots=True)
class Pace:
    """The size of a batch, and the range of the random seconds between two batches."""

    batch_size: int = 1000
    min_delay: float = 0.5
    max_delay: float = 3.0
    sleep: Callable[[float], None] = time.sleep

    def pause(self) -> None:
        """Leave the index to its other clients for a while."""
        self.sleep(random.uniform(self.min_delay, self.max_delay))  # noqa: S311 - no secret


def settled(report: Path, place: str) -> set[str]:
    """The URLs that a report lists as gone from the index at `place`.

    Raises InputError if the file is not a report.
    """
    # The same list of URLs may be erased from several indices, with one report.
    return {
        str(entry.get("url"))
        for entry in entries(report)
        if entry.get("result") in SETTLED and entry.get("index") == place
    }


def unsettled(urls: Iterable[ListedURL], before: set[str], count: Count) -> Iterator[ListedURL]:
    """The URLs still to delete, each once, and the bad lines. Counts all lines."""
    seen: set[str] = set()
    for each in urls:
        count.urls += 1
        if each.why:
            count.bad += 1
            yield each
        elif each.url in before:
            count.before += 1
        elif each.url in seen:
            count.repeated += 1
        else:
            seen.add(each.url)
            yield each


def present(index: SearchIndex, urls: Iterable[ListedURL], batch_size: int) -> int:
    """The number of documents that the index has for these URLs. Raises SearchError."""
    ids = {each.id for each in urls if each.id}
    return sum(len(index.find(some)) for some in chunks(ids, batch_size))


@dataclass(slots=True)
class Eraser:
    """Deletes the documents of URLs, and reports the result for each.

    `place` identifies the index in the report: its URL without credentials.
    """

    index: SearchIndex
    place: str
    report: Journal
    pace: Pace = Pace()
    results: Counter[ErasureResult] = field(default_factory=Counter)

    def erase(self, urls: Iterable[ListedURL]) -> Iterator[int]:
        """Delete the documents. Yields the number of reported URLs after each batch.

        Raises SearchError when the index keeps failing: the batch may be deleted or not, and the
        report has all batches before it. Raises StorageError if the report can't be written.
        """
        for number, batch in enumerate(chunks(urls, self.pace.batch_size)):
            if number:
                self.pace.pause()
            results = self._results(batch)
            self.report.append([self._entry(*each) for each in zip(batch, results, strict=True)])
            self.results.update(result for result, _ in results)
            yield self.results.total()

    def _results(self, batch: Sequence[ListedURL]) -> list[tuple[ErasureResult, str]]:
        """The result for each URL, and the reason."""
        ids = [each.id for each in batch if not each.why]
        deleted = self._deleted(ids) if ids else ()
        answers = ((ErasureResult(each.erasure), each.why) for each in deleted)
        return [(ErasureResult.BAD_URL, each.why) if each.why else next(answers) for each in batch]

    def _deleted(self, ids: Sequence[str]) -> list[Erased]:
        patience = Patience(self.pace.sleep, lambda: 1.0, ATTEMPTS, FIRST_PAUSE, LONGEST_PAUSE)
        return patience.retry(
            lambda: self.index.delete(ids),
            SearchError,
            warn=lambda error: log.warning("the index failed; trying again", why=str(error)),
        )

    def _entry(self, url: ListedURL, result: tuple[ErasureResult, str]) -> Mapping[str, Any]:
        return {
            "url": url.url,
            "id": url.id or None,
            "result": result[0],
            "why": result[1] or None,
            "index": self.place,
        }
