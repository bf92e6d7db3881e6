"""The API as its clients know it: the envelope, errors, and paths without credentials."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from indexer.database import Database
from indexer.errors import StorageError
from indexer.feeds import models
from indexer.feeds.api import queries
from indexer.feeds.api.application import application
from indexer.metrics import attached
from indexer.metrics.snapshot import Snapshot
from tests.each_row import each_row
from tests.feeds.new_database import new_feeds
from tests.feeds.served import (
    METHODS,
    Ask,
    a_feed,
    a_story,
    add,
    add_stories,
    asking,
    client,
    site,
)
from tests.logged import capture_logs


@pytest.fixture(scope="module")
def empty_feeds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """An empty database, for tests that write nothing."""
    database = new_feeds(f"sqlite:///{tmp_path_factory.mktemp('feeds') / 'feeds.sqlite3'}")
    yield database
    database.close()


@pytest.fixture
def ask(empty_feeds: Database) -> Ask:
    """The API of an empty database."""
    return client(empty_feeds)


def away(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the database fail from now on."""

    def reading(*_: object, **__: object) -> None:
        raise StorageError("postgresql://db.internal: gone")

    monkeypatch.setattr(type(database), "reading", reading)


@each_row("path", ["/api/version", *METHODS])
def test_results_are_in_the_envelope(feeds_db: Database, path: str) -> None:
    answer = client(feeds_db)(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    envelope = answer.json()
    assert list(envelope) == ["duration", "version", "status", "results"]
    assert (type(envelope["duration"]), envelope["version"], envelope["status"]) == (
        int,
        "1.2.3",
        "OK",
    )


def test_the_version_names_the_revision(ask: Ask) -> None:
    assert ask("/api/version", auth=None).json()["results"] == {"GIT_REV": "abc123"}


@each_row("path", METHODS)
def test_a_database_that_is_away_is_an_error_in_the_envelope(
    empty_feeds: Database, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    away(empty_feeds, monkeypatch)
    with capture_logs() as logs:
        answer = client(empty_feeds)(path)
    assert answer.status_code == 200
    envelope = answer.json()
    assert envelope.pop("duration") >= 0
    assert envelope == {
        "version": "1.2.3",
        "status": "ERROR",
        "statusCode": 400,
        "message": "the database does not answer",
    }
    assert logs[0]["why"] == "postgresql://db.internal: gone"


def test_who_asks_for_it_gets_the_status_code_of_an_error(
    empty_feeds: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = client(empty_feeds)
    assert ask("/api/feeds/5?_status=1").status_code == 404
    assert ask("/api/feeds/5?_status=1").json()["message"] == "there is no feed 5"
    away(empty_feeds, monkeypatch)
    answer = ask("/api/feeds/1?_status=1")
    assert (answer.status_code, answer.json()["statusCode"]) == (503, 503)


def test_what_nobody_thought_of_is_an_error_in_the_envelope_too(
    empty_feeds: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("hunter2")

    monkeypatch.setattr(queries, "feed", broken)
    ask = client(empty_feeds)
    answer = ask("/api/feeds/1")
    assert (answer.status_code, answer.json()["status"], answer.json()["statusCode"]) == (
        200,
        "ERROR",
        400,
    )
    assert "hunter2" not in answer.text
    assert ask("/api/feeds/1?_status=1").status_code == 500


@each_row(
    ("path", "where"),
    [
        ("/api/rss_entries/x", "story_id"),
        ("/api/rss_entries/1.5", "story_id"),
        ("/api/rss_entries/9223372036854775808", "story_id"),
        ("/api/rss_entries/1?_limit=0", "_limit"),
        ("/api/rss_entries/1?_limit=-1", "_limit"),
        ("/api/rss_entries/1?_limit=x", "_limit"),
        ("/api/feeds/x", "feed_id"),
        ("/api/feeds/99999999999999999999", "feed_id"),
        ("/api/feeds/1/history?_limit=0", "_limit"),
        ("/api/feeds/1/history?_cursor=x", "_cursor"),
        ("/api/feeds/1/history?_cursor=99999999999999999999", "_cursor"),
        ("/api/feeds/1/stories?_cursor=2026-01-01", "_cursor"),
        ("/api/feeds/1/stories?_cursor=2026-01-01T00:00:00%2B01:00~1", "_cursor"),
        ("/api/sources/x/feeds", "sources_id"),
        ("/api/stories/fetched-by-day?_cursor=0001-01-01", "_cursor"),
        ("/api/stories/count?column=title", "column"),
        ("/api/stories/count?column=domain&days=0", "days"),
        ("/api/stories/count?column=domain&_limit=0", "_limit"),
        ("/api/stories/count?column=domain&_cursor=-1", "_cursor"),
        ("/api/try", "url"),
    ],
)
def test_what_cannot_be_asked_is_422_and_named(ask: Ask, path: str, where: str) -> None:
    answer = ask(path)
    assert answer.status_code == 422
    assert list(answer.json()) == ["detail"]
    assert where in answer.json()["detail"][0]["loc"]


def test_who_has_the_results_already_is_told_so(feeds_db: Database) -> None:
    add(feeds_db, models.feeds, a_feed(1))
    ask = client(feeds_db)
    tag = ask("/api/feeds/1").headers["etag"]
    answer = ask("/api/feeds/1", headers={"If-None-Match": tag})
    assert (answer.status_code, answer.content) == (304, b"")
    add_stories(feeds_db, a_story(1))
    assert ask("/api/feeds/1/stories", headers={"If-None-Match": tag}).status_code == 200


@each_row("path", ["/docs", "/redoc", "/openapi.json", "/api/version", "/healthz", "/readyz"])
def test_some_paths_are_open_to_all(ask: Ask, path: str) -> None:
    assert ask(path, auth=None).status_code == 200


def test_the_openapi_document_has_each_method_its_answers_and_no_secret(ask: Ask) -> None:
    answer = ask("/openapi.json")
    document: dict[str, Any] = answer.json()
    paths = {path for path in document["paths"] if path.startswith("/api/")}
    assert paths == {
        "/api/version",
        "/api/rss_entries/{story_id}",
        "/api/feeds/{feed_id}",
        "/api/feeds/{feed_id}/history",
        "/api/feeds/{feed_id}/stories",
        "/api/feeds/{feed_id}/fetch-soon",
        "/api/sources/{sources_id}/feeds",
        "/api/sources/{sources_id}/fetch-soon",
        "/api/sources/{sources_id}/stories",
        "/api/sources/{sources_id}/stories/fetched-by-day",
        "/api/sources/{sources_id}/stories/published-by-day",
        "/api/stories/fetched-by-day",
        "/api/stories/published-by-day",
        "/api/stories/by-source",
        "/api/stories/count",
        "/api/try",
    }
    entries = document["paths"]["/api/rss_entries/{story_id}"]["get"]
    assert entries["security"] == [{"Basic": []}]
    assert entries["responses"].keys() == {"200", "401", "422", "503"}
    assert {each["name"] for each in entries["parameters"]} == {"story_id", "_limit", "_status"}
    columns = document["components"]["schemas"]["FeedRow"]["properties"]
    assert list(columns) == [column.name for column in models.feeds.columns]
    assert "hunter2" not in answer.text


def test_health_is_whether_the_database_answers(
    empty_feeds: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = client(empty_feeds, None)
    assert ask("/healthz").json() == {"status": "ok"}
    away(empty_feeds, monkeypatch)
    answer = ask("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"detail": "the database does not answer"})


def test_numbers_are_what_the_program_has(ask: Ask) -> None:
    answer = ask("/metrics", auth=None, headers={"Accept": "text/plain"})
    assert (answer.headers["content-type"], answer.text) == (
        "text/plain; charset=utf-8",
        "text/plain",
    )


def test_requests_are_counted_by_method_and_status(ask: Ask) -> None:
    snapshot = Snapshot()
    with attached(snapshot):
        for path in ("/api/feeds/1", "/api/feeds/2", "/api/feeds/x", "/nowhere", "/rss/x"):
            ask(path)
        ask("/api/feeds/1", auth=None)
    counted = {
        (row["labels"]["method"], row["labels"]["status"]): row["value"]
        for row in snapshot.rows()
        if row["name"] == "api.requests"
    }
    assert counted == {
        ("feed", "200"): 2,
        ("feed", "422"): 1,
        ("feed", "401"): 1,
        ("other", "404"): 2,
    }


@pytest.mark.parametrize("prefix", ["/rss", "/api/rss"])
def test_daily_files_are_open_to_all_by_name(
    empty_feeds: Database, tmp_path: Path, prefix: str
) -> None:
    files = tmp_path / "rss-output-files"
    ask = client(empty_feeds, None, files=files)
    assert ask(f"{prefix}/mc-2026-11-20.rss.gz").status_code == 404
    files.mkdir()
    (files / "mc-2026-11-20.rss.gz").write_bytes(b"\x1f\x8b")
    answer = ask(f"{prefix}/mc-2026-11-20.rss.gz")
    assert (answer.status_code, answer.content) == (200, b"\x1f\x8b")
    assert "content-encoding" not in answer.headers
    assert ask(f"{prefix}/mc-2026-11-20.rss.gz", "HEAD").headers["content-length"] == "2"


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    """A directory of files that must not be served, as one beside it."""
    files = tmp_path / "files"
    (files / "sub").mkdir(parents=True)
    for path in (
        "secret",
        "files/.hidden",
        "files/mc.rss.gz.tmp",
        "files/sub/file",
        "files/mc..gz",
    ):
        (tmp_path / path).write_text("hunter2")
    (files / "link").symlink_to(tmp_path / "secret")
    return files


@each_row(
    "name",
    [
        *("", ".", "..", "../secret", "%2e%2e/secret", "..%2fsecret", ".hidden", "mc.rss.gz.tmp"),
        *("sub", "sub/file", "link", "mc..gz", "a%00b", "a%0a", "/etc/passwd"),
    ],
)
def test_no_other_files_are_served_and_none_are_listed(
    empty_feeds: Database, secrets: Path, name: str
) -> None:
    answer = client(empty_feeds, None, files=secrets)(f"/rss/{name}", follow_redirects=True)
    assert (answer.status_code, "hunter2" in answer.text) == (404, False)


def test_what_takes_long_leaves_room_for_pullers(empty_feeds: Database) -> None:
    place = site(empty_feeds)
    ask = asking(application(place))
    with place.slot("count"), place.slot("count"), place.slot("count"), place.slot("count"):
        refused = ask("/api/stories/by-source")
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
        assert ask("/api/rss_entries/1").status_code == 200
    assert ask("/api/stories/by-source").status_code == 200


def test_trying_a_feed_is_handed_on(ask: Ask) -> None:
    answer = ask("/api/try?url=https://a.example/feed&source=7")
    trial = answer.json()["results"]
    assert (trial["url"], trial["sources_id"], trial["started"]) == (
        "https://a.example/feed",
        7,
        "2026-11-21T12:30:00",
    )
