"""`story-indexer archives erase`: take the stories of a list of URLs out of the index."""

import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer
from pydantic import Field, SecretStr

from indexer.commands.console.parameters import with_options
from indexer.commands.console.terminal import cell, confirm, line_of_json
from indexer.commands.console.working import Working
from indexer.errors import ConfigurationError, SearchError, StorageError, StoryIndexerError
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
from indexer.stories.queuers.url_lists import ListedURL, read_urls
from indexer.system.options import Options, option

MAX_BATCH = 100_000
MAX_DELAY = 3600.0

BAD_SHOWN = 20
"""Lines that are no URLs, which are printed; the report has all of them."""

SQLITE = "sqlite:///"

ARCHIVES = "The archives are not changed: `archives find` shows which of them hold a URL."


class EraseOptions(Options):
    """Options of `archives erase`."""

    index: SecretStr = option(
        SecretStr(""),
        "sqlite:///FILE or http://HOST:9200/ALIAS",
        "INDEX_URL",
        "ELASTICSEARCH_HOSTS",
        metavar="URL",
    )
    report: Path | None = option(
        None,
        "File for the result of each URL, a line of JSON; default URLS_FILE.report.jsonl.",
        metavar="FILE",
    )
    dry_run: bool = option(False, "Only count the stories that are in the index.")
    yes: bool = option(False, "Do not ask.")
    batch_size: Annotated[int, Field(ge=1, le=MAX_BATCH)] = option(
        1000, "Documents deleted in one request."
    )
    min_delay: Annotated[float, Field(ge=0, le=MAX_DELAY)] = option(
        0.5, "Shortest pause between requests, in seconds."
    )
    max_delay: Annotated[float, Field(ge=0, le=MAX_DELAY)] = option(
        3.0, "Longest pause between requests, in seconds."
    )
    json_: bool = option(False, "Print the summary as JSON.")

    @property
    def url(self) -> str:
        """The index's URL, with its credentials. Raises ConfigurationError if there is none."""
        if url := self.index.get_secret_value():
            return url
        raise ConfigurationError("no index: give --index, or set INDEX_URL")


@with_options
def erase(
    urls_file: Annotated[
        Path,
        typer.Argument(
            metavar="URLS_FILE",
            exists=True,
            dir_okay=False,
            help="File with one URL a line; lines that start with # are ignored.",
        ),
    ],
    options: EraseOptions,
) -> None:
    """Delete stories from the index, by their URLs; a report has the result of each.

    A URL selects the story with the same document id. Archives are not changed: `archives find`
    shows which of them hold a URL.

    The report is written meanwhile. The same command continues after an interruption: URLs that the
    report has as deleted or missing are left out, failed ones are tried again. With another report,
    all are tried again. An index that does not answer is tried again for two minutes.

    Results: deleted; missing (not in the index); failed (tried again the next time); bad-url (a
    line that is no URL: correct it). Exit status: 0 if all are deleted or missing, else 1.

    Examples:

        story-indexer archives erase take-down.txt --index http://localhost:9200/mc_search --dry-run

        INDEX_URL=sqlite:///data/index.sqlite3 story-indexer archives erase take-down.txt --yes
    """
    if options.min_delay > options.max_delay:
        raise typer.BadParameter("--min-delay is above --max-delay")
    report = options.report or urls_file.with_name(f"{urls_file.name}.report.jsonl")
    if report.exists() and report.samefile(urls_file):
        raise typer.BadParameter("--report is the list itself")
    pace = Pace(options.batch_size, options.min_delay, options.max_delay)
    with closing(open_index(options.url)) as index:
        # An error at once: the eraser tries an index that does not answer for two minutes.
        check_there(index)
        job = _Job(urls_file, report, index, _place(options.url), pace, as_json=options.json_)
        done = job.preview() if options.dry_run else job.erase(yes=options.yes)
    raise typer.Exit(0 if done else 1)


@dataclass(frozen=True, slots=True)
class _Job:
    """A list of URLs, and the index to delete their stories from."""

    urls: Path
    report: Path
    index: SearchIndex
    place: str
    pace: Pace
    as_json: bool

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
