"""`story-indexer feeds sync`: its exit statuses and its output."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from indexer.commands.feeds.feed_sync import PROGRAM
from indexer.feeds.models import feeds
from indexer.feeds.registry import directory
from indexer.files.locks import try_lock
from tests.commands.feeds_command import Feeds, feeds_command
from tests.feeds.directory_server import TOKEN, DirectoryServer, listed, page_of_html, saying
from tests.feeds.rows import feed

QUICK = ["--pause", "0"]


@pytest.fixture
def server(httpserver: HTTPServer) -> DirectoryServer:
    """A directory with twenty feeds."""
    return DirectoryServer(httpserver, [listed(id) for id in range(1, 21)])


@pytest.fixture
def command(
    database_url: str,
    server: DirectoryServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Feeds]:
    """The command, with the directory in its environment."""
    for name, value in {**server.variables, "DATAROOT": str(tmp_path / "data")}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(directory, "PAUSES", ())
    with feeds_command(database_url, monkeypatch, capsys) as found:
        yield found


def test_a_sync_says_what_it_has_changed(command: Feeds, server: DirectoryServer) -> None:
    assert command.run("sync", *QUICK).out == "20 feeds listed; 20 added\n"
    del server.feeds[0]
    server.feeds[0] |= {"admin_rss_enabled": False}
    printed = command.run("sync", "--full-sync", *QUICK)
    assert printed.out == "19 feeds listed; 1 deactivated, 18 unchanged, 1 removed\n"


def test_a_program_gets_the_numbers(command: Feeds, server: DirectoryServer) -> None:
    server.feeds[0]["url"] = None
    (found,) = command.json("sync", "--page-size", "7", *QUICK)
    assert found["changes"] == {"refused": 1, "added": 19}
    assert (found["full"], found["dry_run"], found["since"], found["listed"]) == (
        False,
        False,
        0.0,
        20,
    )
    assert found["problems"] == ["feed 1: Feed 1: no URL in the directory"]
    assert server.asked[0]["limit"] == "7"


def test_a_dry_run_says_what_would_be(command: Feeds) -> None:
    printed = command.run("sync", "--dry-run", *QUICK)
    assert printed.out == "20 feeds listed; would be: 20 added\n"
    assert command.json("list") == []


def test_moved_feeds_are_told_for_the_directory(command: Feeds) -> None:
    command.run("sync", *QUICK)
    with command.database.writing() as connection:
        row = feeds.update().where(feeds.c.id == 3).values(adopted_url="https://new.example/")
        connection.execute(row)
    lines = command.run("sync", *QUICK).out.splitlines()
    assert lines[1:] == [
        "moved permanently, old URL in the directory: 1 feed",
        "  feed 3: https://h3.example/feed is now https://new.example/",
    ]
    (found,) = command.json("sync", *QUICK)
    assert found["adopted"] == [
        {"id": 3, "url": "https://h3.example/feed", "adopted_url": "https://new.example/"}
    ]


def test_without_a_version_the_status_is_1(command: Feeds, server: DirectoryServer) -> None:
    server.versions.append(page_of_html())
    assert "its version has no time" in command.run("sync", *QUICK, status=1).err


def test_without_feeds_it_is_2(command: Feeds, server: DirectoryServer) -> None:
    server.replies.append(saying({"detail": "down"}, 503))
    assert "HTTP 503 (down)" in command.run("sync", *QUICK, status=2).err


def test_a_directory_that_lacks_most_of_its_list_is_3(
    command: Feeds, server: DirectoryServer
) -> None:
    command.run("sync", *QUICK)
    del server.feeds[2:]
    printed = command.run("sync", "--full-sync", *QUICK, status=3)
    assert "it lacks 18 of 20 feeds (90.0 %), and at most 5 % may be removed" in printed.err
    assert len(command.json("list")) == 20
    command.run("sync", "--full-sync", "--max-shrinkage", "90", *QUICK)
    assert len(command.json("list")) == 2


def test_answers_that_can_not_be_read_are_4(command: Feeds, server: DirectoryServer) -> None:
    server.replies.append(page_of_html())
    assert "not a list of feeds" in command.run("sync", *QUICK, status=4).err


def test_while_another_one_runs_it_is_255(
    command: Feeds, server: DirectoryServer, tmp_path: Path
) -> None:
    path = tmp_path / "data" / "lock"
    path.mkdir(parents=True)
    lock = try_lock(path / PROGRAM)
    assert lock is not None
    assert "another one is running" in command.run("sync", *QUICK, status=255).err
    assert server.agents == []
    lock.close()
    command.run("sync", *QUICK)
    assert [*path.iterdir()] == []


def test_the_token_is_needed_and_never_shown(
    command: Feeds, server: DirectoryServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MCWEB_TOKEN", "another")
    printed = command.run("sync", *QUICK, status=2)
    assert "check MCWEB_TOKEN" in printed.err
    assert "another" not in printed.err
    monkeypatch.delenv("MCWEB_TOKEN")
    assert "not given: MCWEB_TOKEN" in command.run("sync", *QUICK, status=2).err
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    monkeypatch.setenv("MCWEB_TOKEN_FILE", str(tmp_path / "token"))
    command.run("sync", *QUICK)


def test_the_command_line_counts_before_the_environment(
    command: Feeds, monkeypatch: pytest.MonkeyPatch, server: DirectoryServer
) -> None:
    monkeypatch.setenv("MCWEB_URL", "http://127.0.0.1:1")
    assert "connection refused" in command.run("sync", *QUICK, status=1).err
    command.run("sync", "--mcweb-url", server.url, "--mcweb-timeout", "20", *QUICK)
    monkeypatch.setenv("MCWEB_TIMEOUT", "soon")
    assert "--mcweb-timeout" in command.run("sync", *QUICK, status=2).err


def test_the_address_for_metrics_of_other_programs_is_not_taken(
    command: Feeds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METRICS_ADDRESS", "nowhere:none")
    command.run("sync", *QUICK)
    assert feed(command.database, 20).name == "Feed 20"
