"""`story-indexer feeds take-over`."""

import json
from pathlib import Path

import pytest
import typer

from indexer.commands.feeds.listing import list_feeds
from indexer.commands.feeds.taking_over import take_over
from indexer.feeds.migrations.takeover import Survey
from tests.commands.entering import Command
from tests.feeds.rss_fetcher import make_rss_fetcher, put_rows


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The database of an rss-fetcher."""
    url = f"sqlite:///{tmp_path}/feeds.sqlite3"
    make_rss_fetcher(url)
    put_rows(url, "feeds", {"id": 7, "url": "https://site.example/feed"})
    story = {"feed_id": 7, "url": "https://site.example/1"}
    put_rows(url, "stories", story, {**story, "url": "http://site.example/1"})
    return url


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command("take-over")(take_over)
    app.command("list")(list_feeds)
    return Command(app, "feeds", monkeypatch, capsys)


def test_it_counts_asks_and_takes_over(command: Command, url: str) -> None:
    given = ("--database-url", url)
    assert command.run("list", *given, status=2).err.endswith("`story-indexer feeds take-over`\n")
    assert command.run("take-over", *given, "--dry-run").out == "rows: feeds 1, stories 2\n"
    # No terminal, so nobody can be asked.
    assert "give --yes" in command.run("take-over", *given, status=2).err
    assert command.run("take-over", *given, "--yes").out == (
        "rows: feeds 1, stories 2\n"
        "taken over: feeds 1, properties 1, stories 2, story_keys 1\n"
        "1 stories have no URL key: the same page as an older story\n"
    )
    assert "https://site.example/feed" in command.run("list", *given).out
    told = command.run("take-over", *given, "--yes", status=2).err
    assert "no tables of an rss-fetcher to take over" in told


def test_it_tells_other_programs(command: Command, url: str) -> None:
    given = ("--database-url", url, "--json")
    assert json.loads(command.run("take-over", *given, "--dry-run").out)["rows"]["stories"] == 2
    assert json.loads(command.run("take-over", *given, "--yes").out)["same_identity"] == 1


def test_it_refuses_while_other_programs_are_connected(
    command: Command, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Survey({"feeds": 1}, [], ["rss-fetcher me 10.0.0.1"])
    monkeypatch.setattr("indexer.feeds.migrations.takeover.survey", lambda _url: found)
    told = command.run("take-over", "--database-url", url, "--yes", status=2).err
    assert "connected to the database: rss-fetcher me 10.0.0.1" in told
    assert "stop these programs first" in told
