"""`story-indexer feeds daily`, and the rss-queuer that reads its files."""

import json
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
import typer
from pytest_httpserver import HTTPServer

from indexer.commands.feeds.daily import daily
from indexer.feeds import models
from indexer.feeds.store import open_feeds
from indexer.stories.story import Story
from indexer.system.permissions import STARTED_WITH
from tests.commands.entering import Command
from tests.feeds.new_database import new_feeds
from tests.feeds.stored import a_feed, a_story, put
from tests.services import S3
from workers.stories.rss_queuer import RSSQueuer, RSSQueuerOptions

NOON = datetime(2026, 1, 15, 12)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory with a database: two stories of each of the last days."""
    monkeypatch.setattr("indexer.database.utc_now", lambda: NOON)
    monkeypatch.setenv("DATAROOT", str(tmp_path))
    days = [NOON - timedelta(days=back) for back in range(20)]
    with closing(new_feeds(f"sqlite:///{tmp_path}/feeds.sqlite3")) as database:
        put(database, models.feeds, a_feed(1))
        rows = [a_story(2 * n + more, day) for n, day in enumerate(days, 1) for more in (0, 1)]
        put(database, models.stories, *rows)
    return tmp_path


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(daily)
    return Command(app, "daily", monkeypatch, capsys)


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_the_files_of_the_last_days_are_written_once(command: Command, data: Path) -> None:
    out = command.run().out.splitlines()
    assert out[0] == "mc-2026-01-14.rss.gz: 2 stories"
    assert (len(out), out[-1]) == (14, f"0 files were in {data}/rss-output-files already")
    expected = [f"mc-2026-01-{day:02}.rss.gz" for day in range(2, 15)]
    assert names(data / "rss-output-files") == ["SHA256SUMS", *expected]
    assert command.run().out == f"13 files were in {data}/rss-output-files already\n"


def test_others_may_read_the_files_as_the_umask_says(command: Command, data: Path) -> None:
    command.run()
    modes = {path.stat().st_mode & 0o777 for path in (data / "rss-output-files").iterdir()}
    assert modes == {0o666 & ~STARTED_WITH}


def test_copies_go_where_they_are_wanted(command: Command, data: Path, tmp_path: Path) -> None:
    copies = [tmp_path / "a", tmp_path / "b"]
    told = command.run("--days", "3", "--to", str(copies[0]), "--to", str(copies[1]))
    assert f"mc-2026-01-14.rss.gz: copied to {copies[1].as_uri()}" in told.out
    for copy in copies:
        assert names(copy) == names(data / "rss-output-files")


def test_a_day_that_is_named_is_written_again(command: Command, data: Path) -> None:
    file = data / "rss-output-files" / "mc-2026-01-13.rss.gz"
    command.run("--days=3")
    before = file.read_bytes()
    file.write_bytes(b"wrong")
    assert command.run("--day=2026-01-13").out.startswith("mc-2026-01-13.rss.gz: 2 stories\n")
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--day=yesterday"], "a date is YYYY-MM-DD"),
        (["--day=2026-01-15"], "2026-01-15: no file can be written for this day"),
        (["--day=2025-12-31"], "stories of earlier days may have been deleted"),
        (["--days=0"], "--days"),
        (["--to=ftp://x"], "no blobstore for 'ftp'"),
    ],
)
def test_what_cannot_work_is_said(
    command: Command, data: Path, arguments: list[str], says: str
) -> None:
    assert says in command.run(*arguments, status=2).err
    assert not (data / "rss-output-files").exists()


def test_it_tells_other_programs(command: Command, data: Path) -> None:
    with closing(open_feeds(f"sqlite:///{data}/feeds.sqlite3")) as database:
        row = a_feed(2, lease_owner="a", lease_expires=NOON)
        put(database, models.feeds, row)
    lines = [json.loads(line) for line in command.run("--days=2", "--json").out.splitlines()]
    assert lines == [
        {
            "day": "2026-01-14",
            "name": "mc-2026-01-14.rss.gz",
            "stories": 2,
            "copied": [],
            "waits": False,
        }
    ]


def test_a_day_that_is_not_complete_waits(
    command: Command, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.database.utc_now", lambda: datetime(2026, 1, 15, 0, 20))
    with closing(open_feeds(f"sqlite:///{data}/feeds.sqlite3")) as database:
        expires = datetime(2026, 1, 15, 0, 10)
        put(database, models.feeds, a_feed(2, lease_owner="a", lease_expires=expires))
    assert command.run("--days=2").out.startswith("2026-01-14: waits for polls of feeds that")
    assert json.loads(command.run("--days=2", "--json").out) == {"day": "2026-01-14", "waits": True}
    assert not (data / "rss-output-files").exists()


def test_a_database_that_is_not_there_is_not_made(command: Command, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/no.sqlite3"
    assert "there is no database" in command.run("--database-url", url, status=2).err


def read(**given: object) -> list[Story]:
    """Read daily files with the rss-queuer."""
    options = RSSQueuerOptions.chosen(dict(allow_private=True, **given))
    queuer = RSSQueuer(options, lambda: NOON.replace(tzinfo=UTC))
    stories = [item for item in queuer.produce() if isinstance(item, Story)]
    queuer.close()
    return stories


def test_the_rss_queuer_reads_them_by_date(
    command: Command, data: Path, httpserver: HTTPServer
) -> None:
    command.run("--days=3")
    for name in names(data / "rss-output-files"):
        content = (data / "rss-output-files" / name).read_bytes()
        httpserver.expect_request(f"/{name}").respond_with_data(content)
    url = httpserver.url_for("/mc-{date}.rss.gz")
    stories = read(days=2, daily_url=url, data=data / "queuer")
    assert {each.rss_entry.link for each in stories} == {
        f"https://news1.example/{number}" for number in (4, 5, 6, 7)
    }
    assert {each.rss_entry.fetch_date for each in stories} == {"2026-01-13", "2026-01-14"}
    assert {each.rss_entry.source_feed_id for each in stories} == {1}


@pytest.mark.external
def test_the_rss_queuer_reads_them_from_a_bucket(
    command: Command, data: Path, s3: S3, monkeypatch: pytest.MonkeyPatch
) -> None:
    for store in ("DAILY", "RSS"):
        monkeypatch.setenv(f"{store}_S3_ENDPOINT", s3.endpoint)
        monkeypatch.setenv(f"{store}_S3_REGION", "us-east-1")
        monkeypatch.setenv(f"{store}_S3_ACCESS_KEY_ID", s3.access_key)
        monkeypatch.setenv(f"{store}_S3_SECRET_ACCESS_KEY", s3.secret_key)
    url = f"s3://{s3.bucket}/daily-rss"
    told = command.run("--days=2", "--output", url)
    assert told.out == f"mc-2026-01-14.rss.gz: 2 stories\n0 files were in {url} already\n"
    stories = read(inputs=[f"{url}/mc-*"], data=data / "queuer")
    assert {each.rss_entry.link for each in stories} == {
        "https://news1.example/4",
        "https://news1.example/5",
    }
    assert date.fromisoformat(stories[0].rss_entry.fetch_date or "") == date(2026, 1, 14)
