"""Changes of feeds by an operator: made in the database, and reported."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from indexer.commands.console.terminal import cell, confirm, line_of_json
from indexer.commands.feeds.database import counted
from indexer.database import Database, utc_now
from indexer.errors import ConfigurationError
from indexer.feeds.feed import Feed
from indexer.feeds.identity.places import host_keys
from indexer.feeds.polling.explaining import moment
from indexer.feeds.polling.paces import Paces
from indexer.feeds.registry import changing
from indexer.feeds.registry.finding import named, of_source
from indexer.feeds.saving.clearing import clear_stories


@dataclass(frozen=True, slots=True)
class FeedChanges:
    """Changes the feeds of a database. Feeds are named by id or URL, or by their source.

    Each method prints how many feeds it has changed. Raises ConfigurationError, InputError.
    """

    database: Database
    as_json: bool

    def spread(self, within: timedelta) -> None:
        """Have all feeds polled at random within that time."""
        self._requested(changing.spread(self.database, utc_now(), within))

    def fetch_failing_soon(self) -> None:
        """Have the feeds whose last poll failed polled at once."""
        self._requested(changing.fetch_failing_soon(self.database, utc_now()))

    def fetch_source_soon(self, source: int) -> None:
        """Have the feeds of a source polled within three hours."""
        self._requested(changing.fetch_source_soon(self.database, source, utc_now()))

    def fetch_soon(self, feeds: Sequence[str], *, ignore_retry_after: bool) -> None:
        """Have feeds polled at once, or after the wait that their hosts asked for."""
        number, now = 0, utc_now()
        for feed in named(self.database, feeds):
            self._wait_of_host(feed, now, ignore=ignore_retry_after)
            done = changing.fetch_feed_soon(self.database, feed.id, now)
            if not done:
                _warn(f"feed {feed.id}: being polled, or removed: left alone")
            number += done
        self._requested(number)

    def disable(self, feeds: Sequence[str] | None, source: int | None, why: str) -> None:
        """Stop polling feeds."""
        changed = changing.disable(self.database, self._ids(feeds, source), utc_now(), why)
        self._print(f"{counted(len(changed))} disabled", "disabled", len(changed))

    def enable(self, feeds: Sequence[str] | None, source: int | None) -> None:
        """Poll feeds again."""
        changed = changing.enable(self.database, self._ids(feeds, source))
        self._print(f"{counted(len(changed))} enabled", "enabled", len(changed))

    def override_interval(
        self, feeds: Sequence[str] | None, source: int | None, minutes: int | None
    ) -> None:
        """Set the interval between polls of feeds; None: the computed one."""
        ids = self._ids(feeds, source)
        changed = changing.override_interval(self.database, ids, minutes, utc_now())
        how = "as often as there is news" if minutes is None else f"every {minutes} minutes"
        self._print(f"{counted(len(changed))} to be polled {how}", "changed", len(changed))

    def forget_adopted(self, feed: str) -> None:
        """Poll the feeds of that name at their own URL again."""
        ids = [each.id for each in named(self.database, [feed])]
        self._changed(len(changing.forget_adopted(self.database, ids)))

    def set_url(self, feed: str, url: str) -> None:
        """Give a feed another URL."""
        # Several feeds may have the URL that names this one.
        ids = [each.id for each in named(self.database, [feed])]
        if len(ids) > 1:
            raise ConfigurationError(f"several feeds have that URL, give the id of one: {ids}")
        changed = int(changing.set_url(self.database, ids[0], url))
        # URLs are not unique: the feed may now be polled twice.
        for twin in named(self.database, [url]) if changed else ():
            if twin.id != ids[0] and twin.removed_at is None:
                _warn(f"feed {twin.id} has this URL, too")
        self._changed(changed)

    def remove(self, feeds: Sequence[str]) -> None:
        """Mark feeds as removed."""
        changed = changing.remove(self.database, self._ids(feeds, None), utc_now())
        self._print(f"{counted(len(changed))} removed", "removed", len(changed))

    def clear(self, feeds: Sequence[str], *, yes: bool) -> None:
        """Delete the stories that only these feeds have shown, after a confirmation."""
        found = named(self.database, feeds)
        confirm(f"Forget the stories of {counted(len(found))}?", yes=yes)
        cleared = sum(clear_stories(self.database, feed.id) for feed in found)
        self._print(f"{cleared:,} stories forgotten", "cleared", cleared)

    def _wait_of_host(self, feed: Feed, now: datetime, *, ignore: bool) -> None:
        """End the wait that a feed's hosts asked for, or tell of it."""
        hosts = host_keys(feed.url, feed.adopted_url, feed.final_url)
        paces = Paces(self.database, 0.0)
        if ignore:
            paces.unblock(hosts)
        elif until := paces.blocked(hosts, now):
            _warn(
                f"feed {feed.id}: its host asked to wait until {moment(until)} UTC (Retry-After): "
                "polled then; --ignore-retry-after polls it at once"
            )

    def _ids(self, feeds: Sequence[str] | None, source: int | None) -> list[int]:
        """Find the named feeds, or those of a source."""
        if bool(feeds) is (source is not None):
            raise ConfigurationError("give one of these: feeds, or --source ID")
        if source is not None:
            return of_source(self.database, source)
        return [feed.id for feed in named(self.database, feeds or [])]

    def _requested(self, number: int) -> None:
        self._print(f"{counted(number)} to be polled soon", "requested", number)

    def _changed(self, number: int) -> None:
        self._print("changed" if number else "it was so already", "changed", number)

    def _print(self, text: str, name: str, number: int) -> None:
        print(line_of_json({name: number}) if self.as_json else text)


def _warn(text: str) -> None:
    print(cell(text), file=sys.stderr)
