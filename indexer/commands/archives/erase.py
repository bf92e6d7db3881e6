"""`story-indexer archives erase`: take the stories of a list of URLs out of the index."""

from pathlib import Path
from typing import Annotated

import typer
from pydantic import Field, SecretStr

from indexer.commands.console.parameters import with_options
from indexer.programs.settings import data_directory, index_option, index_or_default
from indexer.system.options import Options, option

MAX_BATCH = 100_000
MAX_DELAY = 3600.0


class EraseOptions(Options):
    """Options of `archives erase`."""

    index: SecretStr = index_option(
        "sqlite:///FILE or http://HOST:9200/ALIAS; default: index.sqlite3 in the data directory"
    )
    data: Path = data_directory()
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
        """The index's URL, with its credentials."""
        return index_or_default(self.index, self.data)


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
    # The help needs none of them.
    from indexer.commands.archives.erase_job import EraseJob  # noqa: PLC0415
    from indexer.stories.indexing.erasing import Pace  # noqa: PLC0415

    pace = Pace(options.batch_size, options.min_delay, options.max_delay)
    with EraseJob.opened(urls_file, report, options.url, pace, as_json=options.json_) as job:
        done = job.preview() if options.dry_run else job.erase(yes=options.yes)
    raise typer.Exit(0 if done else 1)
