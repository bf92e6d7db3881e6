"""Ending attempts, on each database."""

from contextlib import closing
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import delete, select, update

from indexer.database import Database
from indexer.feeds.attempt import POSTPONED, Attempt, FeedAnswer, NewItem, Poll, Unchanged
from indexer.feeds.feed import Feed
from indexer.feeds.fetching import redirects
from indexer.feeds.models import feeds, stories, story_keys, story_refs
from indexer.feeds.polling.claiming import ClaimOptions, Claims
from indexer.feeds.saving.saving import Saved, SaveOptions, Saver
from indexer.feeds.store import open_feeds
from tests.feeds.rows import NOW, add_feeds, all_stories, events, feed, fetched, item, later

OPTIONS = SaveOptions.of({})


def claim(database: Database, seconds: float = 0) -> list[Poll]:
    """Claim all feeds ready so many seconds after NOW, without limits."""
    options = ClaimOptions(feed_concurrency=0)
    polls = Claims(database, options, "test").claim(later(seconds), 100)
    return sorted(polls, key=lambda poll: poll.feed_id)


def save(database: Database, *attempts: Attempt, seconds: float = 2) -> list[Saved]:
    saver = Saver(database, OPTIONS, chance=lambda: 0.5)
    return saver.save(attempts, later(seconds))


def poll_again(database: Database, *items: NewItem, day: int = 1, **fields: Any) -> Saved:
    """Poll the first feed again, so many days after NOW."""
    with database.writing() as connection:
        connection.execute(update(feeds).values(next_fetch_attempt=None))
    seconds = day * 86_400
    poll = claim(database, seconds)[0]
    attempt = fetched(poll, items, seconds + 1, **fields)
    return save(database, attempt, seconds=seconds + 2)[0]


@pytest.fixture
def poll(feeds_db: Database) -> Poll:
    """The poll of a claimed feed."""
    add_feeds(feeds_db, [{"sources_id": 7}])
    return claim(feeds_db)[0]


def test_new_items_are_stories_with_a_ref_in_the_order_of_the_document(
    feeds_db: Database, poll: Poll
) -> None:
    published = NOW - timedelta(hours=3)
    (saved,) = save(feeds_db, fetched(poll, [item(2, published_at=published), item(1)]))
    assert saved.status == "saved"
    first, second = all_stories(feeds_db)
    assert (first["url"], second["url"]) == (item(2).url, item(1).url)
    assert (first["feed_id"], first["sources_id"], first["guid"]) == (1, 7, "g2")
    assert (first["published_at"], first["fetched_at"]) == (published, later(1))
    assert first["normalized_url"] == "http://news.example/story-2"
    with feeds_db.reading() as connection:
        refs = connection.execute(select(story_refs)).all()
    assert {tuple(ref) for ref in refs} == {
        (first["id"], 1, later(1)),
        (second["id"], 1, later(1)),
    }


@pytest.mark.external
def test_moments_are_utc_whatever_the_time_zone_of_the_connection(postgresql_url: str) -> None:
    elsewhere = "options=-c%20timezone%3DAmerica/New_York"
    with closing(open_feeds(f"{postgresql_url}?{elsewhere}")) as database:
        add_feeds(database, [{}])
        published = datetime(2026, 11, 21, 10)
        attempt = fetched(claim(database)[0], [item(published_at=published)])
        (saved,) = save(database, attempt)
        row = feed(database)
    with closing(open_feeds(postgresql_url)) as database:
        (story,) = all_stories(database)
        assert feed(database) == row
    assert (story["published_at"], story["fetched_at"]) == (published, later(1))
    assert row.last_fetch_success == row.last_new_stories == later(1)
    assert saved.stories[0].rss_entry["pub_date"] == "Sat, 21 Nov 2026 10:00:00 +0000"


def test_a_new_story_is_sent_with_all_that_its_fetcher_needs(
    feeds_db: Database, poll: Poll
) -> None:
    (saved,) = save(feeds_db, fetched(poll, [item(published_at=NOW)]))
    (story,) = saved.stories
    assert story.rss_entry == {
        "link": "https://news.example/story-1",
        "title": "Title 1",
        "domain": "news.example",
        "pub_date": "Sat, 21 Nov 2026 12:00:00 +0000",
        "fetch_date": "2026-11-21",
        "source_url": poll.url,
        "source_feed_id": 1,
        "source_source_id": 7,
        "via": f"{all_stories(feeds_db)[0]['id']}@feeds",
    }


def test_a_success_releases_the_feed_and_sets_its_next_poll(feeds_db: Database, poll: Poll) -> None:
    save(feeds_db, fetched(poll, [item()]))
    row = feed(feeds_db)
    assert (row.queued, row.lease_owner, row.lease_expires) == (False, None, None)
    assert row.last_fetch_attempt == row.last_fetch_success == row.last_new_stories == later(1)
    assert (row.system_status, row.last_fetch_failures) == ("Working", 0)
    assert row.rss_title == "News"
    assert row.next_fetch_attempt
    assert row.next_fetch_attempt > NOW
    assert row.ready_at == row.next_fetch_attempt


def test_the_event_counts_the_items_by_reason(feeds_db: Database, poll: Poll) -> None:
    attempt = fetched(poll, [item(1), item(1), item(2)])
    assert attempt.document
    attempt.document.skipped = {"relurl": 2, "nonews": 1}
    save(feeds_db, attempt)
    (event,) = events(feeds_db)
    assert (event["event"], event["created_at"]) == ("fetch_succeeded", later(1))
    assert event["note"] == "3 skipped / 1 dup / 2 added"
    assert '"counts":{"relurl":2,"nonews":1,"ok":2,"dup_url":1}' in event["details"]


def test_a_failure_has_a_status_an_event_and_a_next_poll(feeds_db: Database, poll: Poll) -> None:
    failed = Attempt(poll=poll, started=later(1), status="read timeout", detail="30 s")
    assert save(feeds_db, failed)[0].status == "saved"
    row, (event,) = feed(feeds_db), events(feeds_db)
    assert (event["event"], event["note"]) == ("fetch_failed", "read timeout; 30 s")
    assert (row.system_status, row.last_fetch_failures) == ("read timeout", 0.5)
    assert row.last_fetch_attempt == later(1)
    assert row.last_fetch_success is None
    assert row.next_fetch_attempt
    assert row.next_fetch_attempt > NOW
    assert not row.queued


@pytest.mark.parametrize(
    ("again", "reason"),
    [
        (item(1), "dup_url"),
        (item("moved", guid="g1"), "dup_guid"),
        (item("other", title_hash="t1"), "dup_title"),
        (item(1, guid="other", title_hash=""), "dup_url"),
    ],
)
def test_an_item_seen_before_is_a_duplicate(
    feeds_db: Database, poll: Poll, again: NewItem, reason: str
) -> None:
    save(feeds_db, fetched(poll, [item(1)]))
    saved = poll_again(feeds_db, again)
    assert saved.counts
    assert saved.counts.reasons == {reason: 1}
    assert not saved.stories
    assert len(all_stories(feeds_db)) == 1


def test_a_duplicate_renews_its_ref(feeds_db: Database, poll: Poll) -> None:
    save(feeds_db, fetched(poll, [item(1)]))
    poll_again(feeds_db, item(1))
    with feeds_db.reading() as connection:
        assert connection.scalars(select(story_refs.c.seen_at)).all() == [later(86_401)]


@pytest.mark.parametrize("why", [Unchanged.NOT_MODIFIED, Unchanged.SAME_HASH])
def test_an_unchanged_document_renews_all_refs(feeds_db: Database, poll: Poll, why: str) -> None:
    save(feeds_db, fetched(poll, [item(1), item(2)]))
    poll_again(feeds_db, document=None, unchanged=why)
    with feeds_db.reading() as connection:
        assert connection.scalars(select(story_refs.c.seen_at)).all() == [later(86_401)] * 2
    assert events(feeds_db)[-1]["note"] == why


def test_the_same_title_is_another_story_in_another_source_or_after_a_week(
    feeds_db: Database,
) -> None:
    add_feeds(feeds_db, [{"sources_id": 7}, {"sources_id": 8}, {}])
    polls = claim(feeds_db)
    attempts = [
        fetched(poll, [item(f"{poll.feed_id}-{n}", title_hash="same") for n in (1, 2)])
        for poll in polls
    ]
    saved = save(feeds_db, *attempts)
    # Without a source, titles are not compared.
    assert [each.counts.added for each in saved if each.counts] == [1, 1, 2]
    assert not poll_again(feeds_db, item("x", title_hash="same"), day=6).stories
    assert len(poll_again(feeds_db, item("y", title_hash="same"), day=9).stories) == 1


def test_a_title_duplicate_is_not_announced_when_its_twin_is_old(
    feeds_db: Database, poll: Poll
) -> None:
    save(feeds_db, fetched(poll, [item(1), item("twin", title_hash="t1")]))
    saved = poll_again(feeds_db, item("twin", title_hash="t1"), day=20)
    assert saved.counts
    assert saved.counts.reasons == {"dup_url": 1}


def test_a_deleted_story_is_not_announced_again(feeds_db: Database, poll: Poll) -> None:
    save(feeds_db, fetched(poll, [item(1)]))
    with feeds_db.writing() as connection:
        connection.execute(delete(story_refs))
        connection.execute(delete(stories))
    saved = poll_again(feeds_db, item(1), item("moved", guid="g1"), item(2), day=100)
    assert saved.counts
    assert saved.counts.reasons == {"dup_url": 1, "dup_guid": 1, "ok": 1}
    with feeds_db.reading() as connection:
        ids = connection.scalars(select(story_refs.c.story_id)).all()
    assert ids == [story["id"] for story in all_stories(feeds_db)]


def test_an_id_is_never_used_twice(feeds_db: Database, poll: Poll) -> None:
    save(feeds_db, fetched(poll, [item(1)]))
    before = all_stories(feeds_db)[0]["id"]
    with feeds_db.writing() as connection:
        connection.execute(delete(stories))
    poll_again(feeds_db, item(2))
    assert all_stories(feeds_db)[0]["id"] > before


def test_keys_are_renewed_once_a_month(feeds_db: Database, poll: Poll) -> None:
    save(feeds_db, fetched(poll, [item(1)]))

    def noted() -> set[date]:
        with feeds_db.reading() as connection:
            return {*connection.scalars(select(story_keys.c.seen_on))}

    poll_again(feeds_db, item(1), day=20)
    assert noted() == {NOW.date()}
    poll_again(feeds_db, item(1), day=40)
    assert noted() == {later(40 * 86_400).date()}


def test_one_story_in_two_feeds_has_two_refs(feeds_db: Database) -> None:
    add_feeds(feeds_db, [{"sources_id": 7}, {"sources_id": 8}])
    first, second = claim(feeds_db)
    one, other = save(feeds_db, fetched(first, [item(1)]), fetched(second, [item(1)]))
    assert (len(one.stories), len(other.stories)) == (1, 0)
    with feeds_db.reading() as connection:
        refs = connection.execute(select(story_refs.c.story_id, story_refs.c.feed_id)).all()
    story = all_stories(feeds_db)[0]["id"]
    assert sorted(map(tuple, refs)) == [(story, 1), (story, 2)]


def test_a_guid_identifies_items_of_one_feed_only(feeds_db: Database) -> None:
    add_feeds(feeds_db, [{}, {}])
    first, second = claim(feeds_db)
    save(feeds_db, fetched(first, [item(1, guid="1")]), fetched(second, [item(2, guid="1")]))
    assert len(all_stories(feeds_db)) == 2


def test_a_redelivered_attempt_returns_its_stories_and_changes_nothing(
    feeds_db: Database, poll: Poll
) -> None:
    attempt = fetched(poll, [item(1), item(2)])
    (first,) = save(feeds_db, attempt)
    before = feed(feeds_db)
    (again,) = save(feeds_db, attempt, seconds=50)
    assert (again.status, again.stories) == ("again", first.stories)
    assert feed(feeds_db) == before
    assert len(events(feeds_db)) == 1


def test_a_redelivered_attempt_returns_its_stories_also_after_the_next_poll(
    feeds_db: Database, poll: Poll
) -> None:
    attempt = fetched(poll, [item(1)])
    (first,) = save(feeds_db, attempt)
    with feeds_db.writing() as connection:
        connection.execute(update(feeds).values(next_fetch_attempt=None))
    (next,) = claim(feeds_db, 60)
    save(feeds_db, fetched(next, [item(1)], seconds=61), seconds=62)
    (again,) = save(feeds_db, attempt, seconds=63)
    assert (again.status, again.stories) == ("again", first.stories)


@pytest.mark.parametrize("times", [1, 2])
def test_a_bug_fails_one_attempt_only(
    feeds_db: Database, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    add_feeds(feeds_db, [{}, {}])
    polls = claim(feeds_db)
    after = redirects.after
    failures = [2] * (times + 1)

    def fail(feed: Feed, *rest: Any) -> Any:
        if failures and feed.id == failures[-1]:
            failures.pop()
            raise ZeroDivisionError("why not")
        return after(feed, *rest)

    monkeypatch.setattr(redirects, "after", fail)
    saved = save(feeds_db, *(fetched(each, [item(each.feed_id)]) for each in polls))
    assert [each.status for each in saved] == ["saved", ["saved", "unsavable"][times - 1]]
    assert {story["feed_id"] for story in all_stories(feeds_db)} == {1}
    assert feed(feeds_db, 2).queued == (times == 2)


def test_the_same_message_twice_in_a_batch_is_saved_once(feeds_db: Database, poll: Poll) -> None:
    attempt = fetched(poll, [item(1)])
    first, second = save(feeds_db, attempt, attempt)
    assert (first.status, second.status) == ("saved", "again")
    assert (len(first.stories), len(second.stories)) == (1, 0)
    assert len(events(feeds_db)) == 1


def test_an_attempt_without_its_lease_changes_nothing(feeds_db: Database, poll: Poll) -> None:
    (newer,) = claim(feeds_db, 901)
    (stale,) = save(feeds_db, fetched(poll, [item(1)]), seconds=902)
    assert (stale.status, stale.stories, all_stories(feeds_db)) == ("stale", (), [])
    assert feed(feeds_db).lease_owner == newer.lease


def test_an_attempt_of_a_deleted_feed_is_missing(feeds_db: Database, poll: Poll) -> None:
    with feeds_db.writing() as connection:
        connection.execute(delete(feeds))
    assert save(feeds_db, fetched(poll, [item(1)]))[0].status == "missing"
    assert all_stories(feeds_db) == []


def test_a_feed_deactivated_during_its_attempt_is_released(feeds_db: Database, poll: Poll) -> None:
    with feeds_db.writing() as connection:
        connection.execute(update(feeds).values(active=False))
    save(feeds_db, fetched(poll, [item(1)]))
    row = feed(feeds_db)
    assert (row.active, row.queued, row.system_status) == (False, False, "Working")


def test_a_postponed_attempt_defers_its_feed_and_is_not_counted(
    feeds_db: Database, poll: Poll
) -> None:
    before = feed(feeds_db)
    put_off = Attempt(poll=poll, started=later(1), status=POSTPONED, until=later(600))
    assert save(feeds_db, put_off)[0].status == "postponed"
    row = feed(feeds_db)
    assert (row.queued, row.lease_owner, row.ready_at) == (False, None, later(600))
    assert (row.next_fetch_attempt, row.last_fetch_attempt, row.system_status) == (
        before.next_fetch_attempt,
        before.last_fetch_attempt,
        before.system_status,
    )
    assert events(feeds_db) == []


@pytest.mark.parametrize("title", ["a\0b", "a\ud800b"])
def test_a_value_that_the_database_refuses_fails_one_attempt_only(
    feeds_db: Database, title: str
) -> None:
    add_feeds(feeds_db, [{}, {}, {}])
    first, second, third = claim(feeds_db)
    saved = save(
        feeds_db,
        fetched(first, [item(1)]),
        fetched(second, [item(2, title=title)]),
        fetched(third, [item(3)]),
    )
    assert [each.status for each in saved] == ["saved"] * 3
    if (note := events(feeds_db, 2)[0]["note"]) != "0 skipped / 0 dup / 1 added":
        assert note.startswith("caught exception; ")
        assert feed(feeds_db, 2).last_fetch_failures == 0.5
    assert not feed(feeds_db, 2).queued
    assert {story["feed_id"] for story in all_stories(feeds_db)} >= {1, 3}


def test_the_documents_hash_and_validators_are_stored(feeds_db: Database, poll: Poll) -> None:
    answer = FeedAnswer(
        code=200, url=poll.url, md5="ab" * 16, size=9, etag='W/"x"', last_modified="today"
    )
    save(feeds_db, fetched(poll, [item(1)], answer=answer))
    row = feed(feeds_db)
    assert (row.last_fetch_hash, row.http_etag, row.http_last_modified) == (
        "ab" * 16,
        'W/"x"',
        "today",
    )
