"""`story-indexer feeds`: its lists, and changes by an operator."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from indexer.feeds.identity.places import host_keys
from indexer.feeds.models import fetch_events, stories, story_refs
from indexer.feeds.polling.paces import Paces
from tests.commands.feeds_command import Feeds, feeds_command
from tests.each_row import each_row
from tests.feeds.rows import NOW, add_feeds, events, feed, later

ROWS: list[dict[str, Any]] = [
    {"name": "News", "sources_id": 7, "system_status": "Working", "poll_minutes": 90},
    {"sources_id": 7, "system_status": "HTTP 404 Not Found", "last_fetch_failures": 1.5},
    {"active": False},
    {"system_enabled": False},
    {"removed_at": NOW},
]


@pytest.fixture
def command(
    database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Feeds]:
    """The command, with five feeds."""
    with feeds_command(database_url, monkeypatch, capsys) as found:
        add_feeds(found.database, ROWS)
        yield found


def test_a_list_is_a_line_a_feed(command: Feeds) -> None:
    printed = command.run("list")
    lines = printed.out.splitlines()
    assert lines[0].split()[:5] == ["id", "source", "status", "fails", "every"]
    assert lines[1].split() == [
        "1",
        "7",
        "Working",
        "1",
        "h",
        "30",
        "min",
        "soon",
        "https://h1.example/feed/1",
    ]
    assert [line.split()[0] for line in lines[1:]] == ["1", "2", "3", "4"]
    assert printed.err == "4 feeds\n"


def test_a_list_for_a_person_is_short_and_says_how_many_there_are(command: Feeds) -> None:
    printed = command.run("list", "--limit", "1")
    assert len(printed.out.splitlines()) == 2
    assert "1 of 4 feeds; --limit 0 shows all" in printed.err


@each_row(
    ("arguments", "ids"),
    [
        ([], [1, 2, 3, 4]),
        (["--source", "7"], [1, 2]),
        (["--source", "7", "--failing"], [2]),
        (["--status", "http 4"], [2]),
        (["--match", "NEWS"], [1]),
        (["--disabled"], [3, 4]),
        (["--removed"], [5]),
        (["--due"], [1, 2]),
        (["--gone"], []),
        (["--limit", "3"], [1, 2, 3]),
    ],
)
def test_a_program_gets_all_columns_of_the_feeds_it_asks_for(
    command: Feeds, arguments: list[str], ids: list[int]
) -> None:
    found = command.json("list", *arguments)
    assert [each["id"] for each in found] == ids
    for each in found:
        assert {"url", "sources_id", "system_status", "adopted_url"} <= each.keys()


def test_a_list_has_the_reason_of_the_last_failure(command: Feeds) -> None:
    refused = "bad URL; 127.0.0.1 refused (loopback)"
    rows = [(8, "fetch_failed", "older"), (8, "fetch_failed", refused), (8, "queued", None)]
    failing = {"id": 8, "system_status": "bad URL", "last_fetch_failures": 1.0}
    add_feeds(command.database, [failing])
    with command.database.writing() as connection:
        names = ("feed_id", "event", "note")
        events = [dict(zip(names, row, strict=True)) | {"created_at": NOW} for row in rows]
        connection.execute(fetch_events.insert(), events)
    printed = command.run("list")
    line = next(each for each in printed.out.splitlines() if "bad URL" in each)
    assert "`story-indexer feeds fetch-soon --failing` polls those that failed" in printed.err
    assert line.endswith("  127.0.0.1 refused (loopback)")
    found = command.json("list")
    assert [each["why"] for each in found if each["id"] in (1, 8)] == [None, refused]
    assert command.json("fetch-soon", "--failing") == [{"requested": 2}]


def test_feeds_that_are_there_twice_are_listed_with_their_twins(command: Feeds) -> None:
    add_feeds(command.database, [{"id": 9, "url": "http://www.h1.example/feed/1/"}])
    (twin,) = command.json("list", "--duplicates")
    assert (twin["id"], twin["twin_id"]) == (9, 1)
    assert "http://www.h1.example/feed/1/" in command.run("list", "--duplicates").out
    assert "omit other filters" in command.run("list", "--duplicates", "--due", status=2).err


def _add_events(command: Feeds) -> None:
    details = '{"code": 200, "bytes": 12345, "ms": 70, "counts": {"ok": 2, "dup_url": 3}, '
    details += '"warnings": ["read by feedparser"]}'
    rows = [
        {"feed_id": 1, "event": "queued", "note": None, "created_at": NOW, "details": None},
        {
            "feed_id": 1,
            "event": "fetch_succeeded",
            "note": "0 skipped / 3 dup / 2 added",
            "created_at": later(60),
            "details": details,
        },
    ]
    with command.database.writing() as connection:
        connection.execute(fetch_events.insert(), rows)
        connection.execute(stories.insert(), {"feed_id": 1, "identity": "a"})


def test_without_a_terminal_a_feed_is_one_line_as_it_is(
    command: Feeds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    url = f"https://long.example/[/feeds]/:smile:/{'x' * 200}"
    add_feeds(command.database, [{"id": 9, "url": url}])
    assert [line for line in command.run("list").out.splitlines() if line.endswith(f" {url}")]


def test_nothing_is_no_table(command: Feeds) -> None:
    found = [command.run(*words) for words in (["list", "--gone"], ["history", "3"])]
    assert [each.out for each in found] == ["", ""]
    assert [each.err for each in found] == ["0 feeds\n", "feed 3: no events\n"]


def test_a_feed_is_shown_on_one_page(command: Feeds) -> None:
    _add_events(command)
    lines = command.run("show", "1").out.splitlines()
    assert lines[0] == "feed 1 News"
    shown = {line[2:16].strip(): line[16:] for line in lines[1:10]}
    assert shown["URL"] == "https://h1.example/feed/1"
    assert shown["next poll"] == "as soon as possible"
    assert shown["interval"] == "1 h 30 min computed"
    assert shown["stories"] == "1"
    assert "fetch_succeeded" in lines[-2]
    assert "12,345" in lines[-2]
    assert "0 skipped / 3 dup / 2 added; ok 2, dup_url 3; read by feedparser" in lines[-2]


def test_a_feed_is_shown_to_a_program_by_its_url(command: Feeds) -> None:
    _add_events(command)
    (found,) = command.json("show", "https://h1.example/feed/1", "--events", "1")
    assert (found["id"], found["stories"], found["next"]) == (1, 1, "as soon as possible")
    (event,) = found["events"]
    assert event["created_at"] == "2026-11-21T12:01:00"
    assert event["details"]["counts"] == {"ok": 2, "dup_url": 3}


def test_all_that_is_odd_about_a_feed_is_shown(command: Feeds) -> None:
    odd = {
        "adopted_url": "https://new.example/",
        "final_url": "https://cdn.example/",
        "redirect_url": "https://newer.example/",
        "redirect_count": 2,
        "redirect_since": NOW,
        "gone_at": NOW,
        "http_etag": '"1\x1b[2J"',
        "validators_trusted": False,
        "missed_alarms": 3,
    }
    add_feeds(command.database, [{"id": 9, **odd}])
    shown = command.run("show", "9").out
    for words in (
        "https://new.example/ (adopted",
        "https://cdn.example/",
        "https://newer.example/ (seen 2 times since 2026-11-21 12:00)",
        "not trusted",
        "3 polls",
    ):
        assert words in shown
    assert "\x1b" not in shown


def test_a_history_is_a_line_an_event(command: Feeds) -> None:
    _add_events(command)
    assert [each["event"] for each in command.json("history", "1")] == [
        "fetch_succeeded",
        "queued",
    ]
    assert len(command.run("history", "1", "--limit", "1").out.splitlines()) == 2


@each_row("name", ["show", "history", "disable", "remove", "fetch-soon", "url"])
def test_a_feed_that_there_is_not_is_told(command: Feeds, name: str) -> None:
    more = ["--original"] if name == "url" else []
    printed = command.run(name, "99", *more, status=1)
    assert printed.err == "feeds: no feed has the id or URL 99\n"


def test_feeds_are_fetched_soon(command: Feeds) -> None:
    add_feeds(command.database, [{"id": 8, "queued": True}])
    printed = command.run("fetch-soon", "4", "8")
    assert printed.out == "1 feed to be polled soon\n"
    assert "feed 8: being polled, or removed: left alone" in printed.err
    assert feed(command.database, 4).system_enabled
    assert [event["event"] for event in events(command.database, 4)] == ["queued"]
    assert command.json("fetch-soon", "--source", "7") == [{"requested": 2}]


def test_a_wait_that_a_host_asked_for_is_told_and_can_be_ended(command: Feeds) -> None:
    paces, until = Paces(command.database, 0), datetime(2999, 1, 1)
    hosts = host_keys(feed(command.database, 1).url)
    paces.block(hosts, until)
    asked = "its host asked to wait until 2999-01-01 00:00 UTC (Retry-After)"
    assert asked in command.run("fetch-soon", "1").err
    assert (
        "its host asked to wait (Retry-After); `feeds fetch-soon 1" in command.run("show", "1").out
    )
    assert command.run("fetch-soon", "1", "--ignore-retry-after").err == ""
    assert "as soon as possible" in command.run("show", "1").out
    assert paces.blocked(hosts, NOW) is None
    refused = command.run("fetch-soon", "--failing", "--ignore-retry-after", status=2)
    assert "--ignore-retry-after is for named feeds" in refused.err


def test_all_feeds_are_spread_when_a_database_was_copied(command: Feeds) -> None:
    assert command.json("fetch-soon", "--all", "--within", "0.5") == [{"requested": 4}]
    assert feed(command.database, 1).next_fetch_attempt is not None


def test_feeds_are_disabled_and_enabled(command: Feeds) -> None:
    assert command.run("disable", "--source", "7", "--why", "asked").out == "2 feeds disabled\n"
    assert events(command.database, 1)[0]["note"] == "disabled by the operator; asked"
    assert command.json("enable", "1", "3", "4") == [{"enabled": 3}]
    enabled = [feed(command.database, id).system_enabled for id in (1, 2, 3, 4)]
    assert enabled == [True, False, True, True]
    assert feed(command.database, 3).active


def test_an_operator_says_how_often(command: Feeds) -> None:
    assert (
        "2 feeds to be polled every 15 minutes"
        in command.run("interval", "1", "2", "--every", "15").out
    )
    command.run("interval", "2", "--auto")
    found = [feed(command.database, id).poll_minutes_override for id in (1, 2)]
    assert found == [15, None]
    command.run("interval", "1", "--every", "0", status=2)


def test_a_feed_gets_another_url_and_back(command: Feeds) -> None:
    new = "https://new.example/feed"
    assert command.run("url", "1", new).out == "changed\n"
    assert feed(command.database).url == new
    assert command.run("url", "1", new).out == "it was so already\n"
    command.run("url", "1", "new.example", status=2)
    add_feeds(command.database, [{"id": 9, "url": new, "adopted_url": "https://x.example/"}])
    assert "several feeds" in command.run("url", new, "https://z.example/", status=2).err
    assert command.json("url", "9", "--original") == [{"changed": 1}]
    assert feed(command.database, 9).fetch_url == new


def test_a_url_that_another_feed_has_is_told(command: Feeds) -> None:
    taken = feed(command.database, 2).url or ""
    assert command.run("url", "1", taken).err == "feed 2 has this URL, too\n"
    assert command.run("url", "1", feed(command.database, 5).url or "").err == ""


def test_a_feeds_stories_are_forgotten_if_somebody_says_so(command: Feeds) -> None:
    with command.database.writing() as connection:
        connection.execute(stories.insert(), {"id": 1, "feed_id": 1, "identity": "a"})
        connection.execute(story_refs.insert(), {"story_id": 1, "feed_id": 1, "seen_at": NOW})
    assert "give --yes" in command.run("clear", "1", status=2).err
    assert command.run("clear", "1", "--yes").out == "1 stories forgotten\n"
    assert command.json("clear", "1", "--yes") == [{"cleared": 0}]


def test_what_is_removed_is_not_listed(command: Feeds) -> None:
    assert command.run("remove", "1", "2").out == "2 feeds removed\n"
    assert [each["id"] for each in command.json("list")] == [3, 4]


@each_row(
    "arguments",
    [
        ["fetch-soon"],
        ["fetch-soon", "1", "--all"],
        ["disable"],
        ["enable", "1", "--source", "7"],
        ["interval", "1"],
        ["interval", "1", "--every", "9", "--auto"],
        ["url", "1"],
        ["url", "1", "https://a.example/", "--original"],
    ],
)
def test_what_is_not_said_is_asked_for(command: Feeds, arguments: list[str]) -> None:
    assert "give one of these: " in command.run(*arguments, status=2).err


def test_a_database_that_is_not_there_is_not_made_by_a_look(command: Feeds, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/none/feeds.sqlite3"
    printed = command.run("list", "--database-url", url, status=2)
    assert "there is no database" in printed.err
    assert "`story-indexer feeds add` makes one" in printed.err
    assert not (tmp_path / "none").exists()


def test_the_data_directory_says_where_the_database_is(
    command: Feeds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FEEDS_DATABASE_URL")
    data = tmp_path / "data"
    command.run("add", "--no-look", "https://a.example/", "--data", str(data))
    assert (data / "feeds.sqlite3").exists()
    assert [each["id"] for each in command.json("list", "--data", str(data))] == [1]
