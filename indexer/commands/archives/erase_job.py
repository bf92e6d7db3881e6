"""The work of `archives erase`: it deletes stories, reports each of them, and prints a summary."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from indexer.commands.console.terminal import cell, confirm, line_of_json
from indexer.commands.console.working import Working
from indexer.errors import SearchError, StorageError, StoryIndexerError
from indexer.files.journal import journal
from indexer.http.urls.parts import without_credentials
from indexer.search import SearchIndex, check_there, open_index
from indexer.stories.indexing.erasing import (
    Count,
    Eraser,
    ErasureResult,
    Pace,
    present,
    settled,
    unsettled,
)
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.stories.queuers.url_lists import ListedURL, read_urls

BAD_SHOWN = 20
"""Lines that are no URLs, which are printed; the report has all of them."""

SQLITE = "sqlite:///"

ARCHIVES = "The archives are not changed: `archives find` shows which of them hold a URL."


@dataclass(frozen=True, slots=True)
class EraseJob:
    """A list of URLs, and the index to delete their stories from."""

    urls: Path
    report: Path
    index: SearchIndex
    place: str
    pace: Pace
    as_json: bool

    @classmethod
    @contextmanager
    def opened(
        cls, urls: Path, report: Path, url: str, pace: Pace, *, as_json: bool
    ) -> Iterator[Self]:
        """Open the index of a URL, and close it at the end.

        Raises ConfigurationError, SearchError.
        """
        with closing(open_index(url, STORY_FIELDS)) as index:
            # An error at once: the eraser tries an index that does not answer for two minutes.
            check_there(index)
            yield cls(urls, report, index, _place(url), pace, as_json)

    def preview(self) -> bool:
        """Print how many are in the index. Return whether all lines are URLs."""
        before = settled(self.report, self.place)
        count = self._count(before)
        there = present(self.index, self._wanted(before), self.pace.batch_size)
        self._print(
            count,
            f"{there} of {count.wanted} are in {self.place}: nothing was deleted",
            there=there,
        )
        return not count.bad

    def erase(self, *, yes: bool) -> bool:
        """Delete the stories, after confirmation. Return whether nothing is left to do."""
        # The journal is locked first, so that two commands don't delete by one report.
        with journal(self.report) as report:
            before = settled(self.report, self.place)
            count = self._count(before)
            if count.wanted and not yes:
                confirm(f"Delete the stories of {count.wanted} URLs from {self.place}?")
            eraser = Eraser(self.index, self.place, report, self.pace)
            error = self._run(eraser, before, count)
        results = {
            str(each): eraser.results[each]
            for each in ErasureResult
            if each != ErasureResult.BAD_URL
        }
        left = count.wanted - sum(results.values())
        text = ", ".join(f"{number} {result}" for result, number in results.items())
        self._print(
            count, f"{text}, {left} left; the report is {self.report}", **results, left=left
        )
        # After the summary: the report has what was done before the error.
        if error:
            raise error
        if eraser.results[ErasureResult.DELETED] and not self.as_json:
            print(ARCHIVES)
        return not (left or results[ErasureResult.FAILED] or count.bad)

    def _run(self, eraser: Eraser, before: set[str], count: Count) -> StoryIndexerError | None:
        """Delete the stories. Return the error that interrupted that, or None."""
        with Working() as working:
            try:
                for done in eraser.erase(self._wanted(before)):
                    working.at(f"{done} of {count.wanted + count.bad} URLs")
            except (SearchError, StorageError) as error:
                return error
        return None

    def _wanted(self, before: set[str]) -> Iterator[ListedURL]:
        return unsettled(read_urls(self.urls), before, Count())

    def _count(self, before: set[str]) -> Count:
        """Count the URLs, and print lines that are no URLs."""
        count = Count()
        for each in unsettled(read_urls(self.urls), before, count):
            # A list of the wrong kind would print every line.
            if each.why and count.bad <= BAD_SHOWN:
                print(f"bad-url: {cell(each.url)}: {cell(each.why)}", file=sys.stderr)
        if count.bad > BAD_SHOWN:
            print(f"bad-url: and {count.bad - BAD_SHOWN} more", file=sys.stderr)
        return count

    def _print(self, count: Count, text: str, **more: int) -> None:
        """Print the summary."""
        if self.as_json:
            names = {"index": self.place, "report": str(self.report)}
            print(line_of_json({**asdict(count), **more, **names}))
            return
        others = {"settled before": count.before, "repeated": count.repeated, "bad-url": count.bad}
        parts = [f"{number} {what}" for what, number in others.items() if number]
        print(f"{count.urls} URLs" + (f" ({', '.join(parts)})" if parts else ""))
        print(text)


def _place(url: str) -> str:
    """Return the index's URL for the report: without credentials, the same in all directories."""
    if url.lower().startswith(SQLITE):
        return f"{SQLITE}{Path(url[len(SQLITE) :]).absolute()}"
    return without_credentials(url)
