"""`story-indexer feeds add` and `import`: new feeds."""

import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated

import typer
from pydantic import Field

from indexer.commands.console.parameters import ConfirmOptions, JSONOptions, with_options
from indexer.commands.console.terminal import cell, confirm, line_of_json
from indexer.commands.console.working import Working
from indexer.commands.feeds.database import COMMAND, opened
from indexer.errors import ConfigurationError
from indexer.feeds.registry import registry
from indexer.feeds.registry.discovery import Resolved, resolve
from indexer.feeds.registry.feed_spec import NAME_LENGTH, FeedProblem, FeedSpec, checked
from indexer.feeds.registry.registry import AddedFeeds
from indexer.feeds.registry.syncing import follows_a_directory
from indexer.feeds.store import FeedsOptions, utc_now
from indexer.http.fetching import Client, FetchOptions
from indexer.system.options import environment, option
from indexer.text.cleaning import one_line

SHOWN = 20
"""Most problems that an import prints; of the others, only the number."""


class AddOptions(FeedsOptions, JSONOptions):
    """Options of `add`."""

    source: int | None = option(None, "The source of the feeds.", metavar="ID")
    name: str = option("", "The name of the feeds.")
    guess: bool = option(False, "Try the usual paths on the site of a page that links to no feeds.")
    look: bool = option(True, "Fetch each URL to find its feeds; else take it for a feed.")


class ImportOptions(FeedsOptions, JSONOptions, ConfirmOptions):
    """Options of `import`."""

    spread: Annotated[float, Field(ge=0)] = option(
        6.0, "Spread the first polls at random over so many hours.", metavar="HOURS"
    )
    seed: int | None = option(None, "Seed of the random times: the same gives the same.")
    wipe: bool = option(False, "Delete all feeds first, with their events. Stories stay.")
    dry_run: bool = option(False, "Read the lists, and change nothing.", short="n")


@with_options
def add(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="FEED...",
            help="URLs of feeds, or of pages that link to theirs; files or URLs of lists.",
        ),
    ],
    options: AddOptions,
) -> None:
    """Add feeds: they are polled as soon as possible.

    A page stands for the feeds that it links to; a list (OPML, CSV, one URL per line; also on the
    web, in a bucket, or - for standard input) for all feeds in it, which are not fetched. Feeds
    that exist stay as they are; removed ones are restored.

    Exit status: 0 if all names gave feeds, else 1; the others are reported on standard error.

    Examples:

        story-indexer feeds add https://site.example/

        story-indexer feeds add https://site.example/feed --source 7 --name "Site Example"

        story-indexer feeds add --no-look feeds.opml https://other.example/rss
    """
    # Opened first: an unusable database is an error before anything is fetched.
    with opened(options, make=True) as database:
        found = _resolved(names, guess=options.guess, look=options.look)
        specs = [_labelled(spec, options) for spec in found.specs]
        added = registry.add(database, specs, utc_now())
        report = _Report(as_json=options.json_)
        report.added(added)
        report.problems([*found.problems, *added.refused])
        if added.ids and follows_a_directory(database):
            report.warn("feeds follow a directory here: a full sync removes what it does not have")
    raise typer.Exit(0 if report.whole else 1)


@with_options
def import_feeds(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Lists of feeds: OPML, CSV, or one URL per line; also compressed.",
        ),
    ],
    options: ImportOptions,
) -> None:
    """Import lists of feeds, all in one transaction; first polls at random within six hours.

    A CSV has the columns id, url, sources_id and name, or names its columns in the first row.
    Feeds without ids get the next free ones. Feeds that exist stay as they are.

    Exit status: 0 if all lines are feeds, else 1; the others are reported on standard error with
    their numbers, and the rest is imported.

    Examples:

        story-indexer feeds import feeds.csv.gz

        story-indexer feeds import subscriptions.opml --spread 1

        story-indexer feeds import feeds.csv --wipe --yes
    """
    report = _Report(as_json=options.json_, most=SHOWN)
    with Working() as working:
        working.at("reading the lists")
        found = _resolved(files)
    if options.dry_run:
        _preview(found, report)
        return
    if options.wipe:
        if not found.specs:
            raise ConfigurationError("no feeds are in the lists: nothing was deleted")
        # After the lists were read: for an unreadable list nothing must be deleted.
        confirm("Delete all feeds, with their events?", yes=options.yes)
    with opened(options, make=True) as database, Working() as working:
        working.at(f"adding {len(found.specs):,} feeds")
        spread, chance = timedelta(hours=options.spread), random.Random(options.seed)  # noqa: S311 - need not be secret
        added = registry.add(database, found.specs, utc_now(), spread, chance, wipe=options.wipe)
    report.problems([*found.problems, *added.refused])
    counts = {
        "added": len(added.added),
        "restored": len(added.restored),
        "known": len(added.known),
        "nearly_known": len(added.near),
        "refused": len(found.problems) + len(added.refused),
    }
    report.summary(counts, "imported")
    if added.near and not options.json_:
        report.warn(f"`{COMMAND} list --duplicates` shows those that are nearly the same")
    raise typer.Exit(0 if report.whole else 1)


def _preview(found: Resolved, report: "_Report") -> None:
    # The checks of `registry.add` that need no database: a dry run must not make one.
    results = [checked(spec) for spec in found.specs]
    bad = [each for each in results if isinstance(each, FeedProblem)]
    refused = [*found.problems, *bad]
    report.problems(refused)
    counts = {"feeds": len(results) - len(bad), "refused": len(refused)}
    report.summary(counts, "would import")
    raise typer.Exit(0 if report.whole else 1)


def _resolved(names: Sequence[str], *, guess: bool = False, look: bool = True) -> Resolved:
    client = Client(FetchOptions.of(environment()))
    return resolve(names, client, guess=guess, look=look)


def _labelled(spec: FeedSpec, options: AddOptions) -> FeedSpec:
    """Give a feed the source and name of the command line, which replace those of a page."""
    source = spec.sources_id if options.source is None else options.source
    return spec._replace(sources_id=source, name=one_line(options.name, NAME_LENGTH) or spec.name)


@dataclass(slots=True)
class _Report:
    """Prints the results for feeds; `whole` is false if there was any problem."""

    as_json: bool
    most: int | None = None
    whole: bool = True

    def added(self, added: AddedFeeds) -> None:
        """Print a line for each feed."""
        near = {known.url: known for known in added.near}
        for id, url in added.added:
            twin = near.get(url)
            note = f"; feed {twin.id} is nearly the same: {twin.feed_url}" if twin else ""
            more = {"near": {"feed": twin.id, "url": twin.feed_url}} if twin else {}
            self._line({"feed": id, "url": url, "change": "added", **more}, note)
        for id, url in added.restored:
            self._line({"feed": id, "url": url, "change": "restored"})
        for known in added.known:
            self._line({"feed": known.id, "url": known.url, "change": "known"})

    def problems(self, problems: Sequence[FeedProblem]) -> None:
        """Print a line for each problem on standard error, at most `most`."""
        # An import of 180,000 lines could have as many problems.
        self.whole &= not problems
        for problem in problems[: self.most]:
            self.warn(f"not taken: {problem}")
        if self.most is not None and len(problems) > self.most:
            self.warn(f"not taken: {len(problems) - self.most:,} more")

    def summary(self, counts: dict[str, int], verb: str) -> None:
        """Print all numbers; for a person, only those above 0."""
        if self.as_json:
            print(line_of_json(counts))
            return
        parts = [
            f"{number:,} {name.replace('_', ' ')}" for name, number in counts.items() if number
        ]
        print(f"{verb}: {', '.join(parts) or 'nothing'}")

    def warn(self, text: str) -> None:
        """Print a line on standard error."""
        print(cell(text, 1000), file=sys.stderr)

    def _line(self, values: dict[str, object], note: str = "") -> None:
        if self.as_json:
            print(line_of_json(values))
        else:
            text = f"feed {values['feed']}: {values['url']} ({values['change']}{note})"
            print(cell(text, 5000))
