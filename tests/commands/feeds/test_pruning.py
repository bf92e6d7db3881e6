"""`story-indexer feeds prune`."""

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import typer

from indexer.commands.feeds.pruning import prune
from indexer.feeds import models
from indexer.feeds.store import open_feeds
from tests.commands.entering import Command
from tests.feeds.new_database import new_feeds
from tests.feeds.stored import a_ref, a_story, count, put

LONG_AGO = datetime.now(UTC).replace(tzinfo=None) - timedelta(days=100)


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A database with an old story."""
    url = f"sqlite:///{tmp_path}/feeds.sqlite3"
    with closing(new_feeds(url)) as database:
        put(database, models.stories, a_story(1, LONG_AGO))
        put(database, models.story_refs, a_ref(1, LONG_AGO))
    return url


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(prune)
    return Command(app, "prune", monkeypatch, capsys)


def rows(url: str) -> int:
    with closing(open_feeds(url)) as database:
        return count(database)


def test_it_only_tells_until_it_is_told_to_delete(command: Command, url: str) -> None:
    told = command.run("--database-url", url)
    assert told.out == (
        "would delete 1 stories, 1 refs, 0 events, 0 keys of deleted stories, 0 paces; "
        "--delete deletes them\n"
    )
    assert rows(url) == 2
    done = command.run("--database-url", url, "--delete")
    assert done.out.startswith("deleted 1 stories, 1 refs, 0 events")
    assert rows(url) == 0


def test_it_tells_other_programs(
    command: Command, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FEEDS_DATABASE_URL", url)
    told = json.loads(command.run("--json").out)
    assert told == {
        "deleted": False,
        "events": 0,
        "refs": 1,
        "stories": 1,
        "keys": 0,
        "paces": 0,
    }
    monkeypatch.setenv("RSS_OUTPUT_DAYS", "200")
    assert json.loads(command.run("--json").out)["stories"] == 0


def test_it_makes_no_database(command: Command, tmp_path: Path) -> None:
    told = command.run("--database-url", f"sqlite:///{tmp_path}/no.sqlite3", "--delete", status=2)
    assert "there is no database" in told.err
    assert list(tmp_path.iterdir()) == []


def test_a_number_that_is_none_is_named(
    command: Command, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RSS_OUTPUT_DAYS", "two weeks")
    assert "--rss-output-days" in command.run("--database-url", url, "--delete", status=2).err
    assert rows(url) == 2
