"""Added feeds: each is stored once, and no id is given twice."""

import random
import threading
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from indexer.database import Database
from indexer.errors import StorageError
from indexer.feeds.models import feeds
from indexer.feeds.registry import changing, registry
from indexer.feeds.registry.feed_spec import FeedSpec
from indexer.feeds.registry.registry import AddedFeeds
from indexer.feeds.store import open_feeds
from tests.feeds.rows import NOW, add_feeds, events, feed
from tests.patience import PATIENCE

SITE = "https://Site.example/feed"


def add(database: Database, *specs: FeedSpec | str, **given: Any) -> AddedFeeds:
    """Add feeds at NOW."""
    whole = [FeedSpec(each) if isinstance(each, str) else each for each in specs]
    return registry.add(database, whole, NOW, **given)


def test_a_feed_that_is_added_is_polled_at_once(feeds_db: Database) -> None:
    url = "https://News.Site.org/feed"
    spec = FeedSpec(url, "News", 7, created_at=datetime(2020, 1, 2))
    assert add(feeds_db, spec).added == [(1, url)]
    found = feed(feeds_db)
    assert (found.url, found.name, found.sources_id) == (url, "News", 7)
    assert (found.created_at, found.next_fetch_attempt) == (datetime(2020, 1, 2), None)
    assert (found.active, found.system_enabled, found.queued) == (True, True, False)
    assert (found.host, found.domain) == ("news.site.org", "site.org")
    assert found.ready_at is not None
    assert found.ready_at < NOW


def test_a_url_is_one_feed_however_often_it_is_added(feeds_db: Database) -> None:
    assert len(add(feeds_db, SITE, SITE).added) == 1
    again = add(feeds_db, SITE, FeedSpec(SITE, id=99), "https://other.example/")
    assert [(known.id, known.url) for known in again.known] == [(1, SITE)]
    assert again.added == [(2, "https://other.example/")]


def test_a_url_that_hardly_differs_is_added_and_told(feeds_db: Database) -> None:
    add(feeds_db, SITE)
    (near,) = add(feeds_db, "http://www.site.example/feed/").near
    assert (near.id, near.feed_url) == (1, SITE)
    (near,) = add(feeds_db, "https://a.example/f", "https://a.example/f/").near
    assert (near.url, near.id) == ("https://a.example/f/", 3)


def test_what_is_no_url_is_refused_with_the_reason_and_the_rest_added(feeds_db: Database) -> None:
    added = add(feeds_db, "mailto:a@b.example", SITE)
    assert (len(added.added), len(added.refused)) == (1, 1)
    assert "mailto" in str(added.refused[0])


def test_ids_that_are_given_are_kept_and_others_come_after_them(feeds_db: Database) -> None:
    add(feeds_db, FeedSpec("https://a.example/", id=70))
    added = add(feeds_db, "https://b.example/", FeedSpec("https://c.example/", id=90))
    assert added.added == [(91, "https://b.example/"), (90, "https://c.example/")]
    taken = add(feeds_db, FeedSpec("https://d.example/", id=70))
    assert "70 is the id of another feed: https://a.example/" in taken.refused[0].why
    twice = add(
        feeds_db, FeedSpec("https://e.example/", id=5), FeedSpec("https://f.example/", id=5)
    )
    assert (len(twice.added), len(twice.refused)) == (1, 1)


def test_an_id_is_not_given_again_when_its_feed_is_deleted(feeds_db: Database) -> None:
    add(feeds_db, FeedSpec("https://a.example/", id=70))
    changing.remove(feeds_db, [70], NOW)
    assert changing.delete_removed(feeds_db, NOW + timedelta(1)) == 1
    assert add(feeds_db, "https://b.example/").added == [(71, "https://b.example/")]


def test_a_feed_that_was_removed_comes_back_as_it_was(feeds_db: Database) -> None:
    row = {"url": SITE, "name": "Old", "removed_at": NOW, "gone_at": NOW, "http_etag": '"1"'}
    add_feeds(feeds_db, [row | {"next_fetch_attempt": NOW + timedelta(days=30)}])
    added = add(feeds_db, SITE)
    assert (added.restored, added.ids) == ([(1, SITE)], [1])
    found = feed(feeds_db)
    assert (found.removed_at, found.gone_at, found.next_fetch_attempt) == (None, None, None)
    assert (found.name, found.http_etag) == ("Old", '"1"')


def test_of_several_with_one_url_the_one_that_is_polled_counts(feeds_db: Database) -> None:
    add_feeds(feeds_db, [{"url": SITE, "removed_at": NOW}, {"url": SITE}, {"url": SITE}])
    added = add(feeds_db, SITE)
    assert ([known.id for known in added.known], added.restored) == ([2], [])


def test_an_import_is_spread_at_random_and_a_seed_gives_the_same_times(feeds_db: Database) -> None:
    def times(*urls: str) -> list[datetime]:
        spread = timedelta(hours=6)
        added = add(feeds_db, *urls, spread=spread, chance=random.Random(5), wipe=True)
        found = [feed(feeds_db, id).next_fetch_attempt for id in added.ids]
        return [time for time in found if time is not None]

    urls = [f"https://site.example/{number}" for number in range(50)]
    first = times(*urls)
    assert times(*urls) == first
    assert all(NOW <= time <= NOW + timedelta(hours=6) for time in first)
    assert max(first) - min(first) > timedelta(hours=4)


def test_a_wipe_takes_all_feeds_and_their_events_and_keeps_what_it_is_told(
    feeds_db: Database,
) -> None:
    add(feeds_db, SITE, "https://b.example/")
    changing.disable(feeds_db, [1, 2], NOW)
    added = add(feeds_db, FeedSpec("https://c.example/", id=2), "https://d.example/", wipe=True)
    assert added.added == [(2, "https://c.example/"), (3, "https://d.example/")]
    assert events(feeds_db, 2) == []
    with feeds_db.reading() as connection:
        assert [*connection.scalars(select(feeds.c.id).order_by(feeds.c.id))] == [2, 3]


def test_what_fails_on_the_way_adds_nothing(
    feeds_db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "AT_ONCE", 2)
    rows = registry.row_of

    def refused(id: int, *rest: Any) -> dict[str, Any]:
        return rows(id, *rest) | ({"active": None} if id == 5 else {})

    monkeypatch.setattr(registry, "row_of", refused)
    with pytest.raises(StorageError):
        add(feeds_db, *[f"https://site.example/{number}" for number in range(6)])
    monkeypatch.undo()
    assert len(add(feeds_db, "https://site.example/1").added) == 1


def test_many_are_added_in_a_few_statements(feeds_db: Database) -> None:
    urls = [f"https://h{number % 300}.example/{number}" for number in range(3000)]
    assert len(add(feeds_db, *urls).added) == 3000
    assert len(add(feeds_db, *urls).known) == 3000


def test_nothing_is_nothing(feeds_db: Database) -> None:
    assert add(feeds_db) == AddedFeeds()


@pytest.mark.external
def test_two_who_add_the_same_at_once_add_it_once(postgresql_url: str) -> None:
    database = open_feeds(postgresql_url)
    urls = [f"https://site.example/{number}" for number in range(500)]
    results: list[AddedFeeds] = []
    threads = [
        threading.Thread(target=lambda: results.append(add(database, *urls)), daemon=True)
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(len(each.added) for each in results) == [0, 0, 0, 500]
    database.close()
