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
from indexer.http.urls.redaction import without_credentials
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
"""How many lines of a list that are no URLs are shown; the report has them all."""

SQLITE = "sqlite:///"

ARCHIVES = "The archives are as they were: `archives find` tells which of them hold a URL."


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
        raise ConfigurationError("which index? --index, or INDEX_URL")


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
    """Delete stories from the index, by their URLs; a report tells what became of each.

    A URL stands for the story that has the same document id. Archives are not changed: `archives
    find` tells which hold a URL.

    The report is written as the work goes on. Run the same command again to go on where it ended:
    what the report says was deleted or missing is not asked for again, what failed is. To ask for
    all of them again, name another report. An index that doesn't answer is tried again for two
    minutes.

    Results: deleted; missing (it was not there); failed (tried again next time); bad-url (a line
    that is no URL: correct it). Exit status: 0 only if all are deleted or missing, else 1.

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
    """A list of URLs, and the index that their stories are to be deleted from."""

    urls: Path
    report: Path
    index: SearchIndex
    place: str
    pace: Pace
    as_json: bool

    def preview(self) -> bool:
        """Say how many there are; whether the list is free of faults."""
        before = settled(self.report, self.place)
        count = self._count(before)
        there = present(self.index, self._wanted(before), self.pace.batch_size)
        self._tell(
            count,
            f"{there} of {count.wanted} are in {self.place}: nothing was deleted",
            there=there,
        )
        return not count.bad

    def erase(self, *, yes: bool) -> bool:
        """Delete them, if a person or `yes` says so; whether there is nothing left to do."""
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
        self._tell(count, f"{text}, {left} left; the report is {self.report}", **results, left=left)
        if error:
            raise error
        if eraser.results[ErasureResult.DELETED] and not self.as_json:
            print(ARCHIVES)
        return not (left or results[ErasureResult.FAILED] or count.bad)

    def _run(self, eraser: Eraser, before: set[str], count: Count) -> StoryIndexerError | None:
        """Delete them; the error that ended it, if one did."""
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
        """How many URLs there are; tells of lines that are none."""
        count = Count()
        for each in unsettled(read_urls(self.urls), before, count):
            if each.why and count.bad <= BAD_SHOWN:
                print(f"bad-url: {cell(each.url)}: {cell(each.why)}", file=sys.stderr)
        if count.bad > BAD_SHOWN:
            print(f"bad-url: and {count.bad - BAD_SHOWN} more", file=sys.stderr)
        return count

    def _tell(self, count: Count, text: str, **more: int) -> None:
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
    """What the report and people are told of the index: the same from wherever it is used."""
    if url.lower().startswith(SQLITE):
        return f"{SQLITE}{Path(url[len(SQLITE) :]).absolute()}"
    return without_credentials(url)
