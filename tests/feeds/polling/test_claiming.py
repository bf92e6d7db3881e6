"""Claims of feeds, on each database."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pytest

from indexer.database import Database
from indexer.feeds.attempt import Poll
from indexer.feeds.polling.claiming import ClaimOptions, Claims
from indexer.feeds.polling.paces import Paces
from tests.feeds.rows import NOW, add_feeds, feed, later


def claims(database: Database, **settings: Any) -> Claims:
    given = ClaimOptions(**{"lease_seconds": 60, **settings})
    return Claims(database, given, "test")


def ids(polls: Sequence[Poll]) -> list[int]:
    return sorted(poll.feed_id for poll in polls)


def test_a_poll_has_all_that_its_fetch_needs(feeds_db: Database) -> None:
    known = {
        "sources_id": 7,
        "url": "https://news.a.com/feed",
        "host": "news.a.com",
        "domain": "a.com",
        "http_etag": 'W/"1"',
        "http_last_modified": "yesterday",
        "last_fetch_hash": "abc",
        "validators_url": "https://news.a.com/feed",
        "not_modified_count": 3,
        "full_fetch_at": NOW,
        "next_fetch_attempt": later(-30),
    }
    add_feeds(feeds_db, [known])
    (poll,) = claims(feeds_db).claim(NOW, 10)
    assert (poll.feed_id, poll.sources_id, poll.url) == (1, 7, "https://news.a.com/feed")
    assert (poll.etag, poll.last_modified, poll.hash) == ('W/"1"', "yesterday", "abc")
    assert (poll.not_modified_count, poll.full_fetch_at) == (3, NOW)
    assert poll.due == later(-30)
    assert set(poll.keys) == {"source:7", "host:news.a.com", "domain:a.com"}
    assert poll.expires == later(60)


def test_a_claimed_feed_is_queued_until_its_attempt_ends(feeds_db: Database) -> None:
    add_feeds(feeds_db, [{}])
    (poll,) = claims(feeds_db).claim(NOW, 10)
    row = feed(feeds_db)
    assert (row.queued, row.lease_owner, row.lease_expires) == (True, poll.lease, poll.expires)
    assert poll.lease.startswith("test-")


def test_an_adopted_url_is_fetched_instead_of_the_directorys(feeds_db: Database) -> None:
    add_feeds(feeds_db, [{"adopted_url": "https://b.example/new"}])
    assert claims(feeds_db).claim(NOW, 1)[0].url == "https://b.example/new"


@pytest.mark.parametrize(
    "columns",
    [
        {"active": False},
        {"system_enabled": False},
        {"removed_at": NOW},
        {"next_fetch_attempt": later(1)},
        {"deferred_until": later(1)},
        {"lease_expires": later(1), "lease_owner": "other"},
    ],
)
def test_feeds_that_are_not_ready_are_not_claimed(
    feeds_db: Database, columns: dict[str, Any]
) -> None:
    add_feeds(feeds_db, [columns])
    assert claims(feeds_db).claim(NOW, 10) == []


def test_new_feeds_come_first_then_the_oldest(feeds_db: Database) -> None:
    times: list[datetime | None] = [later(-10), later(-30), None, later(0), later(-20)]
    add_feeds(feeds_db, [{"next_fetch_attempt": when} for when in times])
    scheduler = claims(feeds_db)
    order = [ids(scheduler.claim(NOW, 1)) for _ in range(5)]
    assert order == [[3], [2], [5], [1], [4]]


def test_an_expired_lease_is_replaced_by_one_of_another_name(feeds_db: Database) -> None:
    add_feeds(feeds_db, [{}])
    first, second = claims(feeds_db), claims(feeds_db)
    (before,) = first.claim(NOW, 1)
    assert second.claim(later(59), 1) == []
    (after,) = second.claim(later(60), 1)
    assert after.lease != before.lease


@pytest.mark.parametrize("column", ["sources_id", "host", "domain"])
def test_at_most_two_feeds_of_a_source_host_or_domain_are_leased(
    feeds_db: Database, column: str
) -> None:
    value = 7 if column == "sources_id" else "same.example"
    add_feeds(feeds_db, [{column: value} for _ in range(6)])
    scheduler = claims(feeds_db)
    assert len(scheduler.claim(NOW, 10)) == 2
    assert scheduler.claim(later(50), 10) == []
    assert len(scheduler.claim(later(61), 10)) == 2


def test_at_most_two_feeds_that_redirect_to_a_host_are_leased(feeds_db: Database) -> None:
    redirected = [{"final_host": "same.example"} for _ in range(4)]
    add_feeds(feeds_db, [*redirected, {"host": "same.example"}])
    assert len(claims(feeds_db).claim(NOW, 10)) == 2


def test_feeds_without_source_or_host_have_no_such_limit(feeds_db: Database) -> None:
    add_feeds(feeds_db, [{"sources_id": None, "domain": None, "host": None} for _ in range(5)])
    assert len(claims(feeds_db).claim(NOW, 10)) == 5


def test_without_limits_all_are_claimed(feeds_db: Database) -> None:
    add_feeds(feeds_db, [{"host": "same.example"} for _ in range(5)])
    assert len(claims(feeds_db, feed_concurrency=0).claim(NOW, 10)) == 5


def test_a_crowded_source_does_not_hold_up_the_others(feeds_db: Database) -> None:
    crowd = [{"sources_id": 7, "next_fetch_attempt": later(-100)} for _ in range(60)]
    add_feeds(feeds_db, [*crowd, {"sources_id": 8}, {"next_fetch_attempt": later(-1)}])
    scheduler = claims(feeds_db)
    seen: list[int] = []
    for second in range(20):
        seen += ids(scheduler.claim(later(second), 4))
    assert {61, 62} <= set(seen)


def test_feeds_of_a_blocked_host_are_not_claimed(feeds_db: Database) -> None:
    add_feeds(feeds_db, [{"host": "a.example"}, {}])
    Paces(feeds_db, 5).block(["host:a.example"], later(300))
    scheduler = claims(feeds_db, lease_seconds=900)
    assert ids(scheduler.claim(NOW, 10)) == [2]
    assert scheduler.claim(later(299), 10) == []
    assert ids(scheduler.claim(later(300), 10)) == [1]


def test_named_feeds_are_claimed_before_their_time(feeds_db: Database) -> None:
    add_feeds(
        feeds_db,
        [
            {"next_fetch_attempt": later(9999)},
            {"active": False},
            {"lease_expires": later(5)},
            {},
        ],
    )
    scheduler = claims(feeds_db)
    assert ids(scheduler.claim_these([1, 2, 3, 99], NOW)) == [1]
    assert scheduler.under_way(NOW) == 2


def test_a_limit_of_zero_claims_nothing(feeds_db: Database) -> None:
    add_feeds(feeds_db, [{}])
    assert claims(feeds_db).claim(NOW, 0) == claims(feeds_db).claim(NOW, -5) == []
