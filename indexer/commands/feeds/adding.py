"""`story-indexer feeds add` and `import`: feeds that are to be polled."""

import random
import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated

import typer

from indexer.commands.console.terminal import AsJson, cell, confirm, line_of_json
from indexer.commands.console.working import Working
from indexer.commands.feeds.database import COMMAND, Data, DatabaseURL, OpenedFeeds
from indexer.errors import ConfigurationError
from indexer.feeds.clock import utc_now
from indexer.feeds.registry import registry
from indexer.feeds.registry.discovery import Resolved, resolve
from indexer.feeds.registry.feed_spec import NAME_LENGTH, FeedProblem, FeedSpec, checked
from indexer.feeds.registry.registry import AddedFeeds
from indexer.feeds.registry.syncing import follows_a_directory
from indexer.http.fetching import Client, FetchOptions
from indexer.system.options import environment
from indexer.text.cleaning import one_line

SHOWN = 20
"""So many of what an import could not take are told, and the number of the others."""


def add(  # noqa: PLR0913, PLR0917 - the options of a command
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="FEED...",
            help="URLs of feeds, or of pages that name theirs; files or URLs of lists of them.",
        ),
    ],
    source: Annotated[
        int | None, typer.Option("--source", metavar="ID", help="The source that they are of.")
    ] = None,
    name: Annotated[str, typer.Option("--name", help="What they are called.")] = "",
    guess: Annotated[
        bool,
        typer.Option("--guess", help="Of a page that names no feeds, look where they usually are."),
    ] = False,
    look: Annotated[
        bool, typer.Option("--look/--no-look", help="Whether URLs are looked at, or are feeds.")
    ] = True,
    data: Data = "",
    database_url: DatabaseURL = "",
    as_json: AsJson = False,
) -> None:
    """Add feeds: they are polled as soon as possible.

    A page stands for the feeds that it names, a list (OPML, CSV, a URL a line; also on the web, in
    a bucket, or - for standard input) for all that are in it: those are not looked at. What is
    there already stays as it is; what was removed comes back.

    Exit status: 0 if all could be taken, else 1; what could not is told on standard error.

    Examples:

        story-indexer feeds add https://site.example/

        story-indexer feeds add https://site.example/feed --source 7 --name "Site Example"

        story-indexer feeds add --no-look feeds.opml https://other.example/rss
    """
    with OpenedFeeds(database_url, data, make=True) as database:
        found = _resolved(names, guess=guess, look=look)
        specs = [_labelled(spec, source, name) for spec in found.specs]
        added = registry.add(database, specs, utc_now())
        told = _Telling(as_json=as_json)
        told.added(added)
        told.problems([*found.problems, *added.refused])
        if added.ids and follows_a_directory(database):
            told.warn("these feeds follow a directory: a full sync removes what it does not have")
    raise typer.Exit(0 if told.whole else 1)


def import_feeds(  # noqa: PLR0913, PLR0917 - the options of a command
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...", help="Lists of feeds: OPML, CSV, or a URL a line; also compressed."
        ),
    ],
    hours: Annotated[
        float,
        typer.Option("--spread", metavar="HOURS", min=0, help="Poll them first within that time."),
    ] = 6.0,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The same one gives the same times.")
    ] = None,
    wipe: Annotated[
        bool,
        typer.Option("--wipe", help="Delete all feeds first, with their events. Stories stay."),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "-n", help="Read the lists, and change nothing.")
    ] = False,
    data: Data = "",
    database_url: DatabaseURL = "",
    as_json: AsJson = False,
) -> None:
    """Import lists of feeds: all of them in one step, polled first at random within six hours.

    A CSV has the columns id, url, sources_id and name, or says in its first row what it has.
    Without ids they get the next free ones. What is there already stays as it is.

    Exit status: 0 if all lines could be taken, else 1; the others are told on standard error with
    their numbers, and the rest is imported.

    Examples:

        story-indexer feeds import feeds.csv.gz

        story-indexer feeds import subscriptions.opml --spread 1

        story-indexer feeds import feeds.csv --wipe --yes
    """
    with Working() as working:
        working.at("reading the lists")
        found = _resolved(files)
        told = _Telling(as_json=as_json, most=SHOWN)
        if dry_run:
            looked_at = [checked(spec) for spec in found.specs]
            bad = [each for each in looked_at if isinstance(each, FeedProblem)]
            refused = [*found.problems, *bad]
            told.problems(refused)
            counts = {"feeds": len(looked_at) - len(bad), "refused": len(refused)}
            told.summary(counts, "would import")
            raise typer.Exit(0 if told.whole else 1)
        if wipe and not found.specs:
            raise ConfigurationError("no feeds are in the lists: nothing was deleted")
    if wipe:
        confirm("Delete all feeds, and what is known of them?", yes=yes)
    with OpenedFeeds(database_url, data, make=True) as database, Working() as working:
        working.at(f"adding {len(found.specs):,} feeds")
        chance = random.Random(seed)  # noqa: S311 - nothing that has to be secret
        added = registry.add(
            database, found.specs, utc_now(), timedelta(hours=hours), chance, wipe=wipe
        )
    told.problems([*found.problems, *added.refused])
    counts = {
        "added": len(added.added),
        "restored": len(added.restored),
        "known": len(added.known),
        "nearly_known": len(added.near),
        "refused": len(found.problems) + len(added.refused),
    }
    told.summary(counts, "imported")
    if added.near and not as_json:
        told.warn(f"`{COMMAND} list --duplicates` shows those that are nearly the same")
    raise typer.Exit(0 if told.whole else 1)


def _resolved(names: Sequence[str], *, guess: bool = False, look: bool = True) -> Resolved:
    with closing(Client(FetchOptions.of(environment()))) as client:
        return resolve(names, client, guess=guess, look=look)


def _labelled(spec: FeedSpec, source: int | None, name: str) -> FeedSpec:
    """What was said on the command line counts."""
    given = one_line(name, NAME_LENGTH)
    return spec._replace(
        sources_id=spec.sources_id if source is None else source, name=given or spec.name
    )


@dataclass(slots=True)
class _Telling:
    """Prints what became of feeds; `whole` says whether all could be taken."""

    as_json: bool
    most: int | None = None
    whole: bool = True

    def added(self, added: AddedFeeds) -> None:
        """A line a feed."""
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
        """A line each on standard error, as far as there are not too many."""
        self.whole &= not problems
        for problem in problems[: self.most]:
            self.warn(f"not taken: {problem}")
        if self.most is not None and len(problems) > self.most:
            self.warn(f"not taken: {len(problems) - self.most:,} more")

    def summary(self, counts: dict[str, int], verb: str) -> None:
        """All numbers, for a person those that aren't 0."""
        if self.as_json:
            print(line_of_json(counts))
        else:
            print(f"{verb}: {_sentence(counts.items())}")

    def warn(self, text: str) -> None:
        """A line for who looks on."""
        print(cell(text, 1000), file=sys.stderr)

    def _line(self, values: dict[str, object], note: str = "") -> None:
        if self.as_json:
            print(line_of_json(values))
        else:
            text = f"feed {values['feed']}: {values['url']} ({values['change']}{note})"
            print(cell(text, 5000))


def _sentence(counts: Iterable[tuple[str, int]]) -> str:
    parts = [f"{number:,} {name.replace('_', ' ')}" for name, number in counts if number]
    return ", ".join(parts) or "nothing"
