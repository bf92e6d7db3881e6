"""Taking over the database of an existing rss-fetcher, on each database."""

from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect, select

from indexer.database import Database, open_database
from indexer.errors import ConfigurationError, StorageError
from indexer.feeds import models
from indexer.feeds.attempt import FeedAnswer, NewItem
from indexer.feeds.fetching.conditional import ConditionalOptions, validators
from indexer.feeds.identity.identity import guid_key, url_key
from indexer.feeds.migrations.takeover import TakenOver, survey, take_over
from indexer.feeds.polling.claiming import ClaimOptions, Claims
from indexer.feeds.registry.registry import last_id
from indexer.feeds.saving.saving import SaveOptions, Saver
from indexer.feeds.store import open_feeds
from tests.feeds.new_database import new_feeds
from tests.feeds.rows import all_stories, events, feed, fetched
from tests.feeds.rss_fetcher import make_rss_fetcher, put_rows, run
from tests.feeds.served import client, results

AT = datetime(2023, 4, 1, 10, 0, 0, 123456)
NOW = datetime(2026, 11, 21, 12)
SITE = "https://www.site.example"


def a_story(id: int, **more: Any) -> dict[str, Any]:
    """A story of feed 7 as the existing system stores it."""
    return {
        "id": id,
        "feed_id": 7,
        "sources_id": 3,
        "url": f"{SITE}/{id}",
        "normalized_url": f"http://site.example/{id}",
        "guid": f"g{id}",
        "fetched_at": AT,
        "domain": "site.example",
        "title": f"Title {id}",
        **more,
    }


ODD = (
    a_story(5, url=f"{SITE}/Story?utm_source=rss", normalized_url="http://site.example/story"),
    # The same page for us; the existing system told them apart by the parameter.
    a_story(6, url="http://site.example/Story?xtor=RSS-1", normalized_url="http://x.example/2"),
    a_story(7, url=None, normalized_url=None, guid="no-url"),
    a_story(8, guid=None, title=None),
    a_story(9, url="//site.example/no-scheme"),
    a_story(10, guid="template", title="large " * 100_000),
    a_story(11, guid="template"),
    a_story(12, url="http://[bad", guid=""),
    a_story(13, feed_id=None, sources_id=None, published_at=datetime(1, 1, 1)),
)


def fill(url: str) -> None:
    """Make an rss-fetcher's database with a feed, and stories as they are met in production."""
    make_rss_fetcher(url)
    put_rows(
        url,
        "feeds",
        {
            **{"id": 7, "sources_id": 3, "url": f"{SITE}/feed.xml", "queued": True},
            **{"last_fetch_success": AT, "last_fetch_hash": "0" * 32, "http_etag": 'W/"e"'},
            **{"http_last_modified": "Sat, 01 Apr 2023 10:00:00 GMT", "poll_minutes": 60},
        },
        {"id": 8, "url": None, "last_fetch_failures": None, "active": None},
    )
    put_rows(url, "stories", *ODD)
    put_rows(url, "story_refs", *({"story_id": s["id"], "feed_id": 7, "seen_at": AT} for s in ODD))
    put_rows(
        url,
        "fetch_events",
        {"id": 2, "feed_id": 7, "event": "fetch_succeeded", "note": "1", "created_at": AT},
        {"id": 3, "feed_id": None, "event": "fetch_failed", "created_at": AT},
    )
    values = {"section": "update_feeds", "key": "modified_since", "value": "1680343200.5"}
    put_rows(url, "properties", values)
    # Story 20 was deleted after a puller had read it.
    put_rows(url, "stories", a_story(20, feed_id=90))
    if url.startswith("postgresql"):
        run(url, "SELECT setval('stories_id_seq', 20)", "SELECT setval('fetch_events_id_seq', 3)")
    run(url, "DELETE FROM stories WHERE id = 20")


@pytest.fixture
def existing(database_url: str) -> str:
    """The URL of an rss-fetcher's database."""
    if database_url.startswith("sqlite"):
        Path(database_url.removeprefix("sqlite:///")).parent.mkdir()
    fill(database_url)
    return database_url


def taken_over(url: str) -> TakenOver:
    return take_over(url, lambda _table, _rows: None)


def keys(database: Database) -> dict[bytes, int]:
    with database.reading() as connection:
        columns = select(models.story_keys.c.key, models.story_keys.c.story_id)
        return {bytes(key): story for key, story in connection.execute(columns)}


def an_item(story: dict[str, Any]) -> NewItem:
    """The item of a feed that gave a story."""
    path = story["url"].partition("site.example")[2].partition("?")[0]
    return NewItem(url=story["url"], identity=f"site.example{path}", guid=story["guid"])


def test_programs_refuse_the_database_and_say_what_to_type(existing: str) -> None:
    for make in (True, False):
        with pytest.raises(ConfigurationError, match="story-indexer feeds take-over"):
            open_feeds(existing, make=make)
    assert run(existing, "SELECT count(*) AS number FROM stories")[0]["number"] == len(ODD)


def test_all_rows_are_kept(existing: str) -> None:
    before = run(existing, "SELECT * FROM stories ORDER BY id")
    assert survey(existing).rows["stories"] == len(ODD)
    assert survey(existing).rows["fetch_events"] == 2
    taken = taken_over(existing)
    assert taken.rows["stories"] == taken.rows["story_refs"] == len(ODD)
    assert (taken.rows["feeds"], taken.rows["properties"], taken.rows["fetch_events"]) == (2, 2, 1)
    with closing(open_feeds(existing)) as database:
        after = all_stories(database)
        assert [row["id"] for row in after] == [row["id"] for row in before]
        assert [row["title"] for row in after] == [row["title"] for row in before]
        assert {row["fetched_at"] for row in after} == {AT}
        assert after[-1]["published_at"] == datetime(1, 1, 1)
        assert [(each["id"], each["note"]) for each in events(database, 7)] == [(2, "1")]
    assert run(existing, "SELECT version_num FROM alembic_version")
    with pytest.raises(ConfigurationError, match="no tables of an rss-fetcher"):
        survey(existing)


def test_the_oldest_story_owns_an_identity_and_all_its_keys(existing: str) -> None:
    assert taken_over(existing).same_identity == 2
    with closing(open_feeds(existing)) as database:
        found = {row["id"]: row["identity"] for row in all_stories(database)}
        known = keys(database)
    assert found == {
        **{5: "site.example/Story", 6: None, 7: None, 8: "site.example/8"},
        **{9: "site.example/no-scheme", 10: "site.example/10", 11: "site.example/11"},
        **{12: None, 13: "site.example/13"},
    }
    assert known[url_key("site.example/Story")] == 5
    assert known[guid_key(7, "g5") or b""] == known[guid_key(7, "g6") or b""] == 5
    assert known[guid_key(7, "no-url") or b""] == 7
    # Two stories of one document had this guid: it tells no items apart.
    assert guid_key(7, "template") not in known


def test_a_poll_announces_only_new_items(existing: str) -> None:
    taken_over(existing)
    with closing(open_feeds(existing)) as database:
        seven = feed(database, 7)
        assert not seven.queued
        assert (seven.host, seven.domain) == ("www.site.example", "site.example")
        (poll,) = [
            each
            for each in Claims(database, ClaimOptions(), "test").claim(NOW, 9)
            if each.feed_id == 7
        ]
        # The first request is for the whole document; validators are kept for its hash.
        assert (poll.etag, poll.hash) == ('W/"e"', "0" * 32)
        assert validators(poll, NOW, ConditionalOptions()) == {}
        old = [an_item(story) for story in ODD if story["id"] in (5, 6, 8, 10, 11)]
        new = NewItem(url=f"{SITE}/new", identity="site.example/new", guid="new")
        attempt = fetched(poll, [*old, new])
        (saved,) = Saver(database, SaveOptions.of({})).save([attempt], NOW + timedelta(seconds=2))
        assert [story.rss_entry["link"] for story in saved.stories] == [new.url]
        # The bookmark of a puller may be at story 20, which was deleted.
        rows = results(client(database), "/api/rss_entries/21?_limit=9")
        assert [row["url"] for row in rows] == [new.url]


def test_an_unchanged_document_renews_the_refs(existing: str) -> None:
    taken_over(existing)
    with closing(open_feeds(existing)) as database:
        poll = next(
            p for p in Claims(database, ClaimOptions(), "t").claim(NOW, 9) if p.feed_id == 7
        )
        attempt = fetched(
            poll,
            document=None,
            unchanged="same hash",
            answer=FeedAnswer(code=200, url=poll.url, md5="0" * 32),
        )
        Saver(database, SaveOptions.of({})).save([attempt], NOW + timedelta(seconds=2))
        with database.reading() as connection:
            seen = set(connection.scalars(select(models.story_refs.c.seen_at)))
    assert seen == {attempt.started}


def test_new_feeds_get_ids_that_no_feed_has_had(existing: str) -> None:
    put_rows(existing, "stories", a_story(14, feed_id=90))
    taken_over(existing)
    with closing(open_feeds(existing)) as database, database.reading() as connection:
        assert last_id(connection) == 90


def test_the_tables_are_the_same_as_those_of_a_new_database(existing: str, tmp_path: Path) -> None:
    if existing.startswith("postgresql"):
        run(existing, "ALTER TABLE feeds ALTER url TYPE varchar(9999)")
    taken_over(existing)
    with (
        closing(new_feeds(f"sqlite:///{tmp_path}/empty.sqlite3")) as empty,
        closing(open_feeds(existing)) as database,
    ):
        assert shape(database) == shape(empty)


def shape(database: Database) -> dict[str, Any]:
    """The columns, and the indexes with their columns, of each table."""
    with database.reading() as connection:
        found = inspect(connection)
        return {
            table: (
                [(column["name"], column["nullable"]) for column in found.get_columns(table)],
                {
                    index["name"]: index["column_names"]
                    for index in found.get_indexes(table)
                    if not index.get("duplicates_constraint")
                },
            )
            for table in models.metadata.tables
        }


def test_a_value_that_cannot_be_kept_leaves_everything_as_it_was(existing: str) -> None:
    if existing.startswith("postgresql"):
        run(
            existing,
            "ALTER TABLE stories ALTER id TYPE text",
            "UPDATE stories SET id = 'x' WHERE id = '9'",
        )
    else:
        run(existing, "UPDATE stories SET fetched_at = 'yesterday' WHERE id = 9")
    with pytest.raises(StorageError, match=r"stories (x: id|9: fetched_at)"):
        taken_over(existing)
    assert survey(existing).rows["stories"] == len(ODD)


def test_a_table_without_a_column_is_refused(existing: str) -> None:
    run(
        existing, "ALTER TABLE stories DROP COLUMN guid", "ALTER TABLE stories ADD COLUMN mood TEXT"
    )
    with pytest.raises(ConfigurationError, match=r"missing: stories\.guid"):
        survey(existing)
    run(existing, "ALTER TABLE stories ADD COLUMN guid TEXT")
    assert survey(existing).left_out == ["stories.mood"]


@pytest.mark.parametrize(
    ("active", "time"),
    [("t", "2023-04-01T10:00:00.123456"), ("true", "2023-04-01 12:00:00.123456+02:00")],
)
def test_copies_of_dumps_in_sqlite_write_values_in_several_ways(
    tmp_path: Path, active: str, time: str
) -> None:
    url = f"sqlite:///{tmp_path}/copy.sqlite3"
    make_rss_fetcher(url)
    one = {"id": 1, "active": active, "queued": "f", "last_fetch_success": time}
    put_rows(url, "feeds", {**one, "last_fetch_attempt": "", "poll_minutes": ""})
    taken_over(url)
    with closing(open_feeds(url)) as database:
        found = feed(database, 1)
    assert (found.active, found.last_fetch_success) == (True, AT)
    assert (found.last_fetch_attempt, found.poll_minutes) == (None, None)


@pytest.mark.external
def test_other_clients_of_the_database_are_shown(postgresql_url: str) -> None:
    make_rss_fetcher(postgresql_url)
    assert survey(postgresql_url).others == []
    with closing(open_database(postgresql_url)) as other, other.reading():
        assert len(survey(postgresql_url).others) == 1
