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
from indexer.feeds.store import open_feeds
from indexer.metrics import attached
from tests.feeds.stored import TODAY, a_feed, a_story, put
from tests.metrics.sinks import Heard
from tests.workers import programs
from workers.feeds.feed_stats import FeedStats, FeedStatsOptions


def run(*arguments: str, **variables: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error."""
    process = programs.start("feeds.feed_stats", *arguments, **variables)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_a_look_sets_the_gauges(database_url: str) -> None:
    with closing(open_feeds(database_url)) as database:
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


def test_it_prints_the_numbers_of_one_look(tmp_path: Path) -> None:
    database = open_feeds(f"sqlite:///{tmp_path}/feeds.sqlite3")
    now = datetime.now(UTC).replace(tzinfo=None)
    row = a_feed(1, last_fetch_attempt=now - timedelta(hours=1), system_status="Working")
    put(database, models.feeds, row)
    database.close()
    status, out, err = run("--json", DATAROOT=str(tmp_path))
    assert (status, err) == (0, "")
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
    assert run("--once", DATAROOT=str(tmp_path))[0] == 2
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_is_away_fails_the_look_and_shows_no_password() -> None:
    url = "postgresql://u:hunter2@127.0.0.1:9/feeds"
    status, out, err = run("--once", FEEDS_DATABASE_URL=url)
    assert (status, out) == (1, "")
    assert "StorageError: postgresql" in err
    assert "hunter2" not in err


def test_it_looks_every_five_minutes() -> None:
    assert FeedStatsOptions().interval == 300.0
