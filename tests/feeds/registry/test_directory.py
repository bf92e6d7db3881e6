"""The client of a directory: its requests, and answers that are errors."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pytest
from pydantic import SecretStr
from pytest_httpserver import HTTPServer

from indexer.errors import ConfigurationError
from indexer.feeds.registry import directory
from indexer.feeds.registry.directory import (
    FETCH,
    FORMAT,
    VERSION,
    DirectoryOptions,
    FeedDirectory,
    SyncError,
)
from tests.each_row import each_row
from tests.feeds.directory_server import (
    NOW,
    TOKEN,
    DirectoryServer,
    Reply,
    breaking_off,
    listed,
    page_of_html,
    saying,
)
from tests.http.fetching.raw import serving
from tests.patience import PATIENCE


@pytest.fixture
def server(httpserver: HTTPServer) -> DirectoryServer:
    """A directory with five feeds."""
    return DirectoryServer(httpserver, [listed(id) for id in range(1, 6)])


def client(url: str, slept: list[float] | None = None, **given: Any) -> FeedDirectory:
    """A client of a directory that records its pauses in place of sleeping."""
    waits = [] if slept is None else slept
    options = {"mcweb_url": url, "mcweb_token": SecretStr(TOKEN), "mcweb_timeout": PATIENCE}
    return FeedDirectory(DirectoryOptions(**{**options, **given}), waits.append, page_size=2)


def failure(url: str, **given: Any) -> SyncError:
    """Return the error of reading all feeds."""
    asked = client(url, **given)
    with pytest.raises(SyncError) as failed:
        list(asked.feeds(0, asked.now()))
    return failed.value


def test_feeds_are_read_page_by_page_until_an_empty_one(server: DirectoryServer) -> None:
    slept: list[float] = []
    asked = client(server.url, slept)
    pages = list(asked.feeds(1600000000.5, asked.now()))
    assert [[feed.id for feed in page] for page in pages] == [[1, 2], [3, 4], [5]]
    assert [each["offset"] for each in server.asked] == ["0", "2", "4", "5"]
    assert server.asked[0] == {
        "modified_since": "1600000000.5",
        "modified_before": f"{NOW}",
        "limit": "2",
        "offset": "0",
    }
    assert slept == [0.5, 0.5, 0.5]
    assert server.agents == ["story-indexer feeds sync"]


def test_what_the_directory_says_of_a_feed(server: DirectoryServer) -> None:
    server.feeds = [
        listed(1, name=" a\0 b ", url=" https://a.example/ ", admin_rss_enabled=False),
        {"id": 2},
        listed(3, name=None, source=None, created_at="2023-04-01", admin_rss_enabled=None),
        listed(4, url=5, source="x", name=7, created_at=8),
    ]
    found = [feed for page in client(server.url).feeds(0, 1) for feed in page]
    first = datetime(2023, 4, 1, 10, 20, 30, 123456)
    assert found == [
        (1, "https://a.example/", "a b", 2, False, first),
        (2, "", None, None, True, None),
        (3, "https://h3.example/feed", None, None, False, datetime(2023, 4, 1)),
        (4, "", None, None, True, None),
    ]


@pytest.mark.parametrize("now", [NOW, str(NOW), "2023-11-14T22:13:20.25Z"])
def test_the_time_of_the_directory_is_read_in_any_form(
    server: DirectoryServer, now: object
) -> None:
    server.versions.append(saying({"now": now}))
    assert client(server.url).now() == NOW


def test_a_plain_list_is_a_page_too(server: DirectoryServer) -> None:
    server.replies.extend([saying([listed(9)]), saying([])])
    assert [len(page) for page in client(server.url).feeds(0, 1)] == [1]


def test_the_version_may_be_under_a_slash(httpserver: HTTPServer) -> None:
    moved = {"Location": "/api/version/"}
    httpserver.expect_request("/api/version").respond_with_data(status=301, headers=moved)
    httpserver.expect_request("/api/version/").respond_with_json({"now": 5})
    assert client(httpserver.url_for("")).now() == 5


HTML = page_of_html()


@pytest.mark.parametrize(
    ("versions", "why"),
    [
        ([HTML], "no time"),
        ([saying({})], "no time"),
        ([saying({"now": True})], "no time"),
        ([saying({"now": "soon"})], "no time"),
        ([saying({"now": -1})], "no time"),
        ([saying([1])], "no time"),
        ([saying({}, 503)] * 4, "HTTP 503"),
    ],
)
def test_without_a_version_nothing_is_asked(
    server: DirectoryServer, versions: Sequence[Reply], why: str
) -> None:
    server.versions.extend(versions)
    error = failure(server.url)
    assert (error.status, server.asked) == (VERSION, [])
    with pytest.raises(SyncError, match=why):
        raise error


def test_a_refused_token_has_the_same_status_for_the_version_and_for_a_page(
    server: DirectoryServer,
) -> None:
    refusal = saying({"detail": "Invalid token."}, 401)
    server.versions.append(refusal)
    server.replies.append(refusal)
    for error in (failure(server.url), failure(server.url)):
        assert error.status == FETCH
        with pytest.raises(SyncError, match=r"\(Invalid token.\): check MCWEB_TOKEN"):
            raise error


@pytest.mark.parametrize(
    ("replies", "status", "why"),
    [
        ([None, HTML], FORMAT, "the page from 2 on is not a list of feeds"),
        ([saying({"results": {}})], FORMAT, "not a list"),
        ([saying(["x"])], FORMAT, "the feed at 0 has no id"),
        ([saying([listed(1), listed(2) | {"id": "3"}])], FORMAT, "the feed at 1 has no id"),
        ([saying([{"id": 0}])], FORMAT, "no id"),
        ([saying([{"id": True}])], FORMAT, "no id"),
        ([None, saying([listed(2), listed(1)])], FORMAT, "repeats"),
        ([saying({}, 404)], FETCH, "HTTP 404"),
        ([page_of_html(302)], FETCH, "set MCWEB_URL to the final URL"),
        ([saying({}, 403)], FETCH, "MCWEB_TOKEN"),
        ([None, *[saying({"detail": "down"}, 502)] * 4], FETCH, r"HTTP 502 \(down\)"),
        ([breaking_off] * 4, FETCH, "directory localhost"),
    ],
)
def test_what_is_no_page_ends_it(
    server: DirectoryServer, replies: Sequence[Reply | None], status: int, why: str
) -> None:
    server.replies.extend(replies)
    error = failure(server.url)
    assert error.status == status
    with pytest.raises(SyncError, match=why):
        raise error


def test_a_directory_that_is_busy_is_asked_again_and_as_late_as_it_says(
    server: DirectoryServer,
) -> None:
    busy = [saying({}, 429, Retry_After="7"), saying({}, 503, Retry_After="9999"), breaking_off]
    server.replies.extend(busy)
    slept: list[float] = []
    pages = list(client(server.url, slept).feeds(0, 1))
    assert sum(len(page) for page in pages) == 5
    assert slept[:3] == [7.0, directory.LONGEST_PAUSE, 20.0]


def test_an_answer_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory, "MAX_PAGE_BYTES", 10_000)
    with serving(b"HTTP/1.1 200 OK\r\n\r\n" + b" " * 50_000) as raw:
        assert "--page-size" in str(failure(raw.url))


@each_row(
    ("given", "why"),
    [
        ({"mcweb_token": SecretStr("")}, "MCWEB_TOKEN_FILE"),
        ({"mcweb_token": SecretStr("hunter2\nX: y")}, "one word"),
        ({"mcweb_url": "https://u:hunter2@directory.example"}, "MCWEB_URL"),
        ({"mcweb_url": "directory.example/hunter2"}, "MCWEB_URL"),
        ({"mcweb_user_agent": "é"}, "MCWEB_USER_AGENT"),
    ],
)
def test_what_can_not_work_is_a_configuration_error(given: dict[str, Any], why: str) -> None:
    with pytest.raises(ConfigurationError, match=why) as failed:
        client("https://directory.example", **given)
    assert "hunter2" not in str(failed.value)
