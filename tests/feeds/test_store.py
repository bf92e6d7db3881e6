"""The tables of the feeds family, on each database."""

from datetime import datetime

import pytest
from sqlalchemy import inspect, select

from indexer.database import Database
from indexer.errors import ConfigurationError
from indexer.feeds import models
from indexer.feeds.feed import SEED, Feed
from indexer.feeds.store import FeedsOptions, open_feeds

NOW = datetime(2026, 11, 21, 12)
EARLIER, LATER = datetime(2026, 11, 21, 11), datetime(2026, 11, 22)


def test_migrations_make_the_tables_of_the_models(feeds_db: Database) -> None:
    with feeds_db.reading() as connection:
        found = inspect(connection)
        for table in models.metadata.sorted_tables:
            there = {column["name"] for column in found.get_columns(table.name)}
            assert there == {column.name for column in table.columns}


@pytest.mark.parametrize(
    ("columns", "ready"),
    [
        ({}, datetime(1970, 1, 1)),
        ({"next_fetch_attempt": NOW}, NOW),
        ({"next_fetch_attempt": NOW, "lease_expires": LATER}, LATER),
        ({"next_fetch_attempt": NOW, "lease_expires": EARLIER}, NOW),
        ({"deferred_until": LATER}, LATER),
    ],
)
def test_a_feed_is_ready_after_its_plan_lease_and_deferral(
    feeds_db: Database, columns: dict[str, datetime], ready: datetime
) -> None:
    with feeds_db.writing() as connection:
        connection.execute(models.feeds.insert(), {"id": 1, "url": "https://a.example/", **columns})
        row = connection.execute(select(models.feeds)).mappings().one()
    feed = Feed.of(row)
    assert feed.ready_at == ready
    assert (feed.active, feed.system_enabled, feed.queued, feed.last_fetch_failures) == (
        True,
        True,
        False,
        0.0,
    )


def test_the_seeds_columns_come_first_in_their_order() -> None:
    assert SEED[0] == "id"
    assert SEED[-1] == "poll_minutes"
    assert {"queued", "update_minutes", "system_status", "rss_title"} <= set(SEED)


def test_a_feed_has_every_column() -> None:
    assert list(Feed.__struct_fields__) == [column.name for column in models.feeds.columns]


def test_a_database_opened_for_reading_is_not_created(database_url: str) -> None:
    with pytest.raises(ConfigurationError):
        open_feeds(database_url, make=False)


def test_by_default_feeds_are_in_a_file_of_the_data_directory() -> None:
    assert (
        FeedsOptions.of({"DATAROOT": "/srv/news"}).database == "sqlite:////srv/news/feeds.sqlite3"
    )
