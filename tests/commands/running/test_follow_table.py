"""What a person sees while feeds are followed."""

import io
from datetime import datetime, timedelta
from pathlib import Path

from rich.console import Console

from indexer.commands.running.follow_table import FollowTable, _when
from indexer.feeds.models import feeds, fetch_events, stories
from indexer.feeds.polling.watching import Watch
from indexer.feeds.store import open_feeds
from indexer.messages.outcome import OutcomeKind
from indexer.running.tally import Tally
from pipeline import flavor
from tests.each_row import each_row

NOW = datetime(2026, 11, 21, 12)


def shown(tmp_path: Path, *, terminal: bool) -> str:
    """What is printed of two feeds, one of which was polled and had a story."""
    database = open_feeds(f"sqlite:///{tmp_path / 'feeds.sqlite3'}")
    with database.writing() as connection:
        late = {"next_fetch_attempt": NOW + timedelta(minutes=30)}
        connection.execute(feeds.insert(), [{"id": 1, **late}, {"id": 2, **late}])
    watch, tally = Watch(database, NOW), Tally()
    with database.writing() as connection:
        event = {"feed_id": 1, "created_at": NOW}
        failed = event | {"event": "fetch_failed", "note": "HTTP 404; Not Found"}
        connection.execute(fetch_events.insert(), [failed])
        connection.execute(fetch_events.insert(), [event | {"event": "fetch_succeeded"}])
        connection.execute(stories.insert(), [{"identity": "a"}])
    tally.add("importer", OutcomeKind.DONE, "created")
    tally.add("fetcher", OutcomeKind.DISCARD, "http-404")
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=80)
    with FollowTable(
        watch, tally, flavor("follow"), lambda step: len(step.name), lambda: NOW, console
    ) as table:
        table.tick()
        table.tick()
    database.close()
    return out.getvalue()


def test_without_a_terminal_it_is_a_line_when_something_has_changed(tmp_path: Path) -> None:
    (line,) = shown(tmp_path, terminal=False).splitlines()
    assert line == (
        "0:00:00  feeds 2 (the next in 30 min), fetched 1, failures 1 (HTTP 404 1), "
        "new stories 1 (21 under way), indexed 1, archived 0 (8 wait for the next archive), "
        "not stories 1 (http-404 1)"
    )


def test_on_a_terminal_it_is_a_table(tmp_path: Path) -> None:
    table = shown(tmp_path, terminal=True)
    for name in ("feeds", "fetched", "failures", "new stories", "indexed", "archived"):
        assert name in table
    assert "HTTP 404 1" in table
    assert "Ctrl-C" in table


@each_row(
    ("minutes", "words"),
    [
        (None, ""),
        (-5.0, ""),
        (0.2, "the next within a minute"),
        (7.0, "the next in 7 min"),
        (600.0, "the next in 10 h"),
    ],
)
def test_the_next_poll_is_told_as_people_do(minutes: float | None, words: str) -> None:
    assert _when(None if minutes is None else NOW + timedelta(minutes=minutes), NOW) == words
