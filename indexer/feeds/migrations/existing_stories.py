"""Stories of an existing rss-fetcher as rows of ours, with identities and keys (feeds.md 8.1).

    old rows, by id → identity and keys → keys inserted → identity only for the owner of its key

Several old stories may have one identity: the oldest owns it. The others keep their rows, without
an identity, and their keys lead to the oldest.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table, func, select

from indexer.database import Database
from indexer.database.bulk import insert_rows
from indexer.feeds.identity.identity import guid_key, identity, tells_apart, url_key
from indexer.feeds.models import stories, story_keys
from indexer.feeds.reading.entry_links import repaired


class _Keyed(NamedTuple):
    """A row, its identity, and the keys of its URL and guid."""

    row: dict[str, Any]
    identity: str | None
    of_url: bytes | None
    of_guid: bytes | None


@dataclass
class StoryTransfer:
    """Writes the rows of stories and their keys; `feed_urls` has the URLs of feeds by id."""

    database: Database
    connection: Connection
    feed_urls: Mapping[int, str]
    shared_guids: frozenset[tuple[int, str]]
    today: date

    def write(self, rows: list[dict[str, Any]]) -> None:
        """Write rows; those with lower ids come first. Raises the database's errors."""
        keyed = [self._keyed(row) for row in rows]
        owners = self._owners(keyed)
        of_guids: dict[bytes, int] = {}
        for row, identity_, of_url, of_guid in keyed:
            owner = owners[of_url] if of_url else row["id"]
            row["identity"] = identity_ if owner == row["id"] else None
            if of_guid:
                of_guids.setdefault(of_guid, owner)
        self._insert_keys(of_guids)
        insert = self.database.insert(stories)
        insert_rows(self.database, self.connection, insert, [each.row for each in keyed])

    def _owners(self, keyed: list[_Keyed]) -> dict[bytes, int]:
        """Insert the keys of URLs that no older story has; the owners of all."""
        first: dict[bytes, int] = {}
        for each in keyed:
            if each.of_url:
                first.setdefault(each.of_url, each.row["id"])
        owners = self._insert_keys(first)
        older = [key for key in first if key not in owners]
        columns = select(story_keys.c.key, story_keys.c.story_id)
        known = columns.where(self.database.among(story_keys.c.key, older))
        found = self.connection.execute(known) if older else ()
        return owners | {bytes(key): story for key, story in found}

    def _insert_keys(self, owners: Mapping[bytes, int]) -> dict[bytes, int]:
        """Insert the keys that are not there; returns those that were inserted."""
        if not owners:
            return {}
        rows: list[dict[str, Any]] = [
            {"key": key, "story_id": story, "seen_on": self.today}
            for key, story in sorted(owners.items())
        ]
        insert = self.database.insert(story_keys).on_conflict_do_nothing()
        columns = (story_keys.c.key, story_keys.c.story_id)
        found = insert_rows(self.database, self.connection, insert, rows, *columns)
        return {bytes(key): story for key, story in found}

    def _keyed(self, row: dict[str, Any]) -> _Keyed:
        feed, url, guid = row["feed_id"], row["url"], row["guid"]
        feed_url = self.feed_urls.get(feed, "")
        name = identity(repaired(url, feed_url)) if url else None
        means = guid and feed is not None and self._means(feed, guid, url, feed_url)
        return _Keyed(
            row, name, url_key(name) if name else None, guid_key(feed, guid) if means else None
        )

    def _means(self, feed: int, guid: str, url: str | None, feed_url: str) -> bool:
        """Whether a guid tells items apart, by the rules for the items of a document."""
        if (feed, guid) in self.shared_guids:
            return False
        return guid == url or tells_apart(guid, feed_url)


def guids_of_several(connection: Connection, aside: Table) -> frozenset[tuple[int, str]]:
    """The guids that several stories of one document had, each with its feed."""
    # All stories of a document have the same feed and time (feeds.md 2.2).
    columns = aside.c.feed_id, aside.c.guid
    statement = (
        select(*columns)
        .where(aside.c.feed_id.is_not(None), aside.c.guid.is_not(None))
        .group_by(*columns, aside.c.fetched_at)
        .having(func.count() > 1)
    )
    return frozenset((feed, guid) for feed, guid in connection.execute(statement))
