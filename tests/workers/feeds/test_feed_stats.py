"""feed-stats, as a program."""

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from indexer.database import Database
from indexer.errors import ConfigurationError
from indexer.feeds import models
from indexer.metrics import attached
from tests.feeds.new_database import new_feeds
from tests.feeds.stored import TODAY, a_feed, a_story, put
from tests.metrics.sinks import Heard
from workers.feeds.feed_stats import FeedStats, FeedStatsOptions, main


def test_a_look_sets_the_gauges(database_url: str) -> None:
    with closing(new_feeds(database_url)) as database:
        fill(database)
    program = FeedStats(FeedStatsOptions(database_url=SecretStr(database_url)), lambda: TODAY)
    with attached(heard := Heard()):
        program.tick()
        program.tick()
    program.close()
    numbers = {name: value for name, value, labels in heard.numbers if not labels}
    assert (numbers["db.ready"], numbers["stories.max-id"]) == (1, 7)


def fill(database: Database) -> None:
    put(database, models.feeds, a_feed(1, next_fetch_attempt=TODAY - timedelta(minutes=1)))
    put(database, models.stories, a_story(7))


def test_it_prints_the_numbers_of_one_look(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one_that_works(tmp_path)
    assert main(["--json", "--data", str(tmp_path)]) == 0
    check_numbers(*capsys.readouterr())


def one_that_works(data: Path) -> None:
    """A database with a feed that was polled an hour ago."""
    with closing(new_feeds(f"sqlite:///{data}/feeds.sqlite3")) as database:
        now = datetime.now(UTC).replace(tzinfo=None)
        row = a_feed(1, last_fetch_attempt=now - timedelta(hours=1), system_status="Working")
        put(database, models.feeds, row)


def check_numbers(out: str, err: str) -> None:
    """Check the numbers that the program prints for that database."""
    assert err == ""
    rows = {
        (row["name"], *row["labels"].values()): row["value"]
        for row in map(json.loads, out.splitlines())
    }
    assert rows["feeds.recent", "Working"] == 1
    assert rows["db.ready",] == 1


def test_it_makes_no_database(tmp_path: Path) -> None:
    program = FeedStats(FeedStatsOptions(data=tmp_path))
    with pytest.raises(ConfigurationError, match="there is no database"):
        program.tick()
    program.close()
    assert main(["--once", "--data", str(tmp_path)]) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_is_away_fails_the_look_and_shows_no_password(
    capsys: pytest.CaptureFixture[str],
) -> None:
    url = "postgresql://u:hunter2@127.0.0.1:9/feeds"
    assert main(["--once", "--database-url", url]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "StorageError: postgresql" in err
    assert "hunter2" not in err


def test_it_looks_every_five_minutes() -> None:
    assert FeedStatsOptions().interval == 300.0
