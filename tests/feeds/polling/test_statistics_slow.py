"""Statistics of many stories."""

from datetime import timedelta

import pytest

from indexer.database import Database
from indexer.feeds import models
from indexer.feeds.polling import statistics
from indexer.feeds.polling.statistics import measure
from indexer.feeds.store import open_feeds
from tests.feeds.stored import TODAY, a_story, put


def test_only_a_sample_of_many_stories_is_read(
    feeds_db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "SAMPLE", 100)
    monkeypatch.setattr(statistics, "AT_ONCE", 30)
    hour = TODAY - timedelta(hours=1)
    rows = [
        a_story(number, hour, domain="a.example" if number % 3 else "b.example")
        for number in range(1, 1001)
    ]
    put(feeds_db, models.stories, *rows)
    most, second = measure(feeds_db, TODAY).top_domains
    assert most + second == pytest.approx(1000, rel=0.05)
    assert most == pytest.approx(667, rel=0.1)


@pytest.mark.external
def test_postgresql_reads_stories_by_indexes(postgresql_url: str) -> None:
    database = open_feeds(postgresql_url)
    hours = [TODAY - timedelta(hours=number) for number in range(3000)]
    put(database, models.stories, *(a_story(3000 - n, when) for n, when in enumerate(hours)))
    scanned = "SELECT seq_scan FROM pg_stat_xact_user_tables WHERE relname = 'stories'"
    with database.writing() as connection:
        connection.exec_driver_sql("ANALYZE")
        before = connection.exec_driver_sql(scanned).scalar()
        statistics._sample(connection, database, TODAY)
        assert connection.exec_driver_sql(scanned).scalar() == before
    database.close()
