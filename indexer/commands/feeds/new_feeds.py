"""New feeds: read from lists and pages, added to the database, and reported."""

import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from indexer.commands.console.terminal import cell, confirm, line_of_json
from indexer.commands.console.working import Working
from indexer.commands.feeds.adding import AddOptions, ImportOptions
from indexer.commands.feeds.database import COMMAND, opened
from indexer.database import utc_now
from indexer.errors import ConfigurationError
from indexer.feeds.registry import registry
from indexer.feeds.registry.discovery import Resolved, resolve
from indexer.feeds.registry.feed_spec import NAME_LENGTH, FeedProblem, FeedSpec, checked
from indexer.feeds.registry.registry import AddedFeeds
from indexer.feeds.registry.syncing import follows_a_directory
from indexer.http.fetching import FetchOptions
from indexer.http.fetching.client import Client
from indexer.system.options import environment
from indexer.text.cleaning import one_line
from indexer.text.tables.columns import Columns

SHOWN = 20
"""Most problems that an import prints; of the others, only the number."""


def add(names: Sequence[str], options: AddOptions) -> bool:
    """Add the feeds of these names, and report them. Returns whether all names gave feeds."""
    # Opened first: an unusable database is an error before anything is fetched.
    columns = options.columns
    with opened(options, make=True) as database:
        found = _resolved(names, columns, guess=options.guess, look=options.look)
        specs = [_labelled(spec, options) for spec in found.specs]
        added = registry.add(database, specs, utc_now())
        report = _Report(as_json=options.json_)
        report.added(added)
        report.problems([*found.problems, *added.refused])
        if added.ids and follows_a_directory(database):
            report.warn("feeds follow a directory here: a full sync removes what it does not have")
    return report.whole


def import_lists(files: Sequence[str], options: ImportOptions) -> bool:
    """Import lists of feeds, and report the numbers. Returns whether all lines are feeds."""
    report = _Report(as_json=options.json_, most=SHOWN)
    with Working() as working:
        working.at("reading the lists")
        found = _resolved(files, options.columns)
    if options.dry_run:
        _preview(found, report)
        return report.whole
    if options.wipe:
        _check_wipe(found, report, incomplete=options.incomplete)
        # After the lists were read: for an unreadable list nothing must be deleted.
        question = f"Delete all feeds, with their events, and import {len(found.specs):,}?"
        confirm(question, yes=options.yes)
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
    return report.whole


def _preview(found: Resolved, report: "_Report") -> None:
    refused = _refused(found)
    report.problems(refused)
    feeds = len(found.specs) + len(found.problems) - len(refused)
    report.summary({"feeds": feeds, "refused": len(refused)}, "would import")


def _check_wipe(found: Resolved, report: "_Report", *, incomplete: bool) -> None:
    """Raise ConfigurationError for lists that must not replace all feeds."""
    if not found.specs:
        raise ConfigurationError("no feeds are in the lists: nothing was deleted")
    refused = _refused(found)
    if refused and not incomplete:
        report.problems(refused)
        raise ConfigurationError(
            f"the lists have {len(refused):,} lines or parts that can't be read: nothing was "
            "deleted; --incomplete imports the rest"
        )


def _refused(found: Resolved) -> list[FeedProblem]:
    """The problems that are known without a database: a dry run must not make one."""
    results = map(checked, found.specs)
    return [*found.problems, *(each for each in results if isinstance(each, FeedProblem))]


def _resolved(
    names: Sequence[str], columns: Columns, *, guess: bool = False, look: bool = True
) -> Resolved:
    with Client(FetchOptions.of(environment())) as client:
        return resolve(names, client, guess=guess, look=look, columns=columns)


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
