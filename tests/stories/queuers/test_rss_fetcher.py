"""The client of the rss-fetcher's API: what it sends, what it takes, and what it refuses."""

import gzip
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from indexer.errors import ConfigurationError, InputError
from indexer.http.json_service import Unavailable
from indexer.stories.queuers.rss_fetcher import EntryRow, RSSFetcher, RSSFetcherOptions, check_order
from indexer.stories.story import RSSEntry
from tests.each_row import each_row
from tests.http.connections.test_tls import TLSServer
from tests.http.fetching.raw import Talk, drip, flood, serving
from tests.patience import PATIENCE
from tests.stories.rss_fetcher_server import (
    AUTHORIZATION,
    PASSWORD,
    USER,
    Reply,
    RSSFetcherServer,
    entry,
    envelope,
)


def rss_entry(**changed: Any) -> RSSEntry:
    """What a story has of a row."""
    return EntryRow(entry(7) | changed).story("rss.example:8000").rss_entry


def test_all_fields_of_an_entry_are_the_storys() -> None:
    assert rss_entry() == RSSEntry(
        link="https://site7.example/7",
        title="Title 7",
        domain="site7.example",
        pub_date="Fri, 01 Mar 2024 23:59:58 +0000",
        fetch_date="2024-03-02",
        source_url="https://site7.example/feed",
        source_feed_id=1007,
        source_source_id=7,
        via="7@rss.example:8000",
    )


def test_what_is_missing_is_none() -> None:
    assert EntryRow({"id": 7}).story("s") == EntryRow(dict.fromkeys(entry(7)) | {"id": 7}).story(
        "s"
    )
    assert EntryRow({"id": 7}).story("s").rss_entry == RSSEntry(via="7@s")


@each_row(
    ("sent", "number"),
    [(7, 7), ("7", 7), (" 7 ", 7), (0, 0), (10**18 - 1, 10**18 - 1)],
)
def test_an_id_is_a_number_or_the_text_of_one(sent: object, number: int) -> None:
    assert EntryRow({"id": sent}).id == number


@each_row("sent", [None, -7, "x7", 7.5, True, [7], {}, "", 10**18, "٧"])
def test_all_else_is_no_id(sent: object) -> None:
    assert EntryRow({"id": sent}).id is None


@pytest.mark.parametrize("field", ["title", "published_at", "domain", "feed_id", "feed_url"])
@pytest.mark.parametrize("value", [[], {"a": 1}, False, 1.5, ""])
def test_a_field_that_is_not_what_it_should_be_costs_only_itself(field: str, value: object) -> None:
    entry = rss_entry(**{field: value})
    fields = {"published_at": "pub_date", "feed_id": "source_feed_id", "feed_url": "source_url"}
    assert getattr(entry, fields.get(field, field)) is None
    assert (entry.link, entry.source_source_id) == ("https://site7.example/7", 7)


@each_row(
    ("fetched", "day"),
    [
        ("2024-03-02T00:10:20.123456", "2024-03-02"),
        ("2024-03-02 23:59:59", "2024-03-02"),
        ("2024-03-02T00:10:20+02:00", "2024-03-01"),
        ("2024-03-02T00:10:20Z", "2024-03-02"),
        ("2024-03-02", "2024-03-02"),
        ("0001-01-01T00:00:00+05:00", None),
        ("yesterday", None),
        (None, None),
    ],
)
def test_the_day_of_fetching_is_that_of_utc(fetched: str | None, day: str | None) -> None:
    assert rss_entry(fetched_at=fetched).fetch_date == day


def test_text_is_cleaned_before_it_is_a_storys() -> None:
    sent = json.loads(r'"a\u0000b\ud800c\u001b[2J\nd"')
    found = (
        EntryRow(dict.fromkeys(("title", "domain", "url", "feed_url"), sent)).story("s").rss_entry
    )
    assert (found.title, found.domain) == ("abc[2J d", "abc[2J d")
    assert (found.link, found.source_url) == ("abc[2Jd", "abc[2Jd")
    assert len(rss_entry(title="x" * 99_999).title or "") == 1000


def test_dates_are_those_of_rfc_2822_or_as_they_were() -> None:
    assert rss_entry(published_at="2024-03-01T23:59:58+05:30").pub_date == (
        "Fri, 01 Mar 2024 23:59:58 +0530"
    )
    assert rss_entry(published_at="soon\n").pub_date == "soon"


@each_row("ids", [[5, 6], [3, 5], [None, 5, None], [5, 5], [5]])
def test_a_full_page_that_goes_on_is_in_order(ids: list[int | None]) -> None:
    check_order([EntryRow({"id": each}) for each in ids], 5)


@each_row(
    ("ids", "why"),
    [
        ([6, 5], "not in the order"),
        ([5, 9, None, 6], "not in the order"),
        ([3, 4], "would return the same page"),
        ([None, None], "would return the same page"),
    ],
)
def test_a_full_page_that_leads_nowhere_is_an_error(ids: list[int | None], why: str) -> None:
    with pytest.raises(InputError, match=why):
        check_order([EntryRow({"id": each}) for each in ids], 5)


OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@pytest.fixture
def server() -> Iterator[RSSFetcherServer]:
    """One with the entries 1 to 9."""
    with RSSFetcherServer([entry(number) for number in range(1, 10)]).running() as server:
        yield server


def fetcher(url: str, **given: Any) -> RSSFetcher:
    """A client of it."""
    options: dict[str, Any] = {
        "rss_fetcher_url": url,
        "rss_fetcher_user": USER,
        "rss_fetcher_pass": SecretStr(PASSWORD),
        "rss_fetcher_total_timeout": PATIENCE,
    }
    return RSSFetcher(RSSFetcherOptions(**options | given))


def failure(url: str, **given: Any) -> InputError:
    """What asking for a page ends with."""
    with pytest.raises(InputError) as failed:
        fetcher(url, **given).page(0, 9)
    return failed.value


def test_a_page_is_asked_for_from_an_id_on_with_who_we_are(server: RSSFetcherServer) -> None:
    found = fetcher(server.url).page(3, 5)
    assert [row.sent for row in found] == [entry(number) for number in (3, 4, 5, 6, 7)]
    (asked,) = server.requests
    assert asked.path == "/api/rss_entries/3?_limit=5"
    assert asked.headers["authorization"] == AUTHORIZATION
    assert asked.headers["user-agent"] == "story-indexer rss-queuer.py"
    assert asked.headers["host"] == server.address


def test_what_it_says_who_it_is_may_be_changed(server: RSSFetcherServer) -> None:
    fetcher(server.url, rss_fetcher_user_agent="me/2").page(0, 1)
    assert server.requests[0].headers["user-agent"] == "me/2"


@pytest.mark.parametrize("url", ["{}/", "{}/below", "{}/below/"])
def test_the_api_may_be_below_a_path(server: RSSFetcherServer, url: str) -> None:
    client = fetcher(url.format(server.url))
    client.page(0, 1)
    assert server.requests[0].path.endswith("/api/rss_entries/0?_limit=1")
    assert server.requests[0].path.count("below") == url.count("below")
    assert client.server == server.address


@pytest.mark.parametrize(
    ("missing", "named"),
    [("url", "RSS_FETCHER_URL"), ("user", "RSS_FETCHER_USER"), ("pass", "RSS_FETCHER_PASS")],
)
def test_url_user_and_password_are_needed(missing: str, named: str) -> None:
    with pytest.raises(ConfigurationError, match=named):
        fetcher("http://rss.example", **{f"rss_fetcher_{missing}": " "})


@each_row(
    "given",
    [
        {"rss_fetcher_url": "http://u:hunter2@rss.example/"},  # beside a user and a password
        {"rss_fetcher_url": "http://rss.example/?key=hunter2"},
        {"rss_fetcher_url": "ftp://rss.example/hunter2"},
        {"rss_fetcher_url": "rss.example/hunter2"},
        {"rss_fetcher_user": "a:b"},
        {"rss_fetcher_user_agent": "a\nX-Header: b"},
        {"rss_fetcher_user_agent": ""},
    ],
)
def test_what_can_not_work_is_a_configuration_error(given: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError) as failed:
        fetcher("http://rss.example", **given)
    assert "hunter2" not in str(failed.value)


def test_user_and_password_may_be_in_the_url(server: RSSFetcherServer) -> None:
    url = server.url.replace("//", f"//{USER}:{PASSWORD}@")
    found = fetcher(url, rss_fetcher_user="", rss_fetcher_pass=SecretStr(""))
    assert found.page(9, 1)[0].id == 9
    assert server.requests[0].headers["authorization"] == AUTHORIZATION
    assert PASSWORD not in found.url(9, 1) + found.server


def test_the_password_may_be_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret").write_text(f"{PASSWORD}\n")
    monkeypatch.setenv("RSS_FETCHER_PASS_FILE", str(tmp_path / "secret"))
    options = RSSFetcherOptions()
    assert options.rss_fetcher_pass.get_secret_value() == PASSWORD
    assert PASSWORD not in repr(options)


@each_row(
    ("reply", "why"),
    [
        (Reply(400, b'{"detail": "no\\nlimit"}'), r"HTTP 400 \(no limit\)"),
        (Reply(404, b"<html>"), "HTTP 404"),
        (Reply(302, b"", {"Location": "http://else.example/"}), "redirects to http://else.exampl"),
        (Reply(304), "redirects to nowhere"),
        (Reply(204), "HTTP 204"),
        (Reply(200, b'{"status": "ERROR", "message": "no such\\u001b id"}'), r"ERROR \(no such id"),
        (Reply(200, b'{"status": "ERROR", "statusCode": 400}'), "status ERROR"),
        (Reply(200, b'{"results": []}'), "status missing"),
        (Reply(200, b'{"status": null, "results": []}'), "status missing"),
        (Reply(200, b'{"status": "OK"}'), "without a list"),
        (Reply(200, b'{"status": "OK", "results": {}}'), "without a list"),
        (Reply(200, b"[]"), "not a JSON object"),
        (Reply(200, b""), "not a JSON object"),
        (Reply(200, b"<!doctype html><p>Log in"), "not a JSON object"),
        (Reply(200, b"[" * 100_000), "not a JSON object"),
    ],
)
def test_an_answer_that_is_none_is_an_error(
    server: RSSFetcherServer, reply: Reply, why: str
) -> None:
    server.requests.clear()
    server.replies.append(reply)
    error = failure(server.url)
    assert not isinstance(error, Unavailable)
    with pytest.raises(InputError, match=why):
        raise error
    assert str(error).startswith(f"rss-fetcher {server.address}: ")
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [401, 403])
def test_who_is_not_let_in_is_told_what_to_check(server: RSSFetcherServer, status: int) -> None:
    server.replies.append(Reply(status, b'{"detail": "Invalid credentials"}'))
    with pytest.raises(ConfigurationError, match=r"\(Invalid credentials\): check .*-pass") as made:
        fetcher(server.url).page(0, 1)
    assert PASSWORD not in str(made.value)


@each_row(
    ("reply", "wait"),
    [
        (Reply(429, b"", {"Retry-After": "7"}), 7.0),
        (Reply(503, b"", {"Retry-After": "soon"}), None),
        (Reply(500, b'{"detail": "Internal"}'), None),
        (Reply(502), None),
        (Reply(200, b'{"status": "ERROR", "statusCode": 500, "message": "database"}'), None),
        (Reply(200, b"{", {"Content-Length": "99"}), None),
        (Reply(200, b"{", {"Content-Encoding": "gzip"}), None),
    ],
)
def test_what_may_pass_is_said_to(
    server: RSSFetcherServer, reply: Reply, wait: float | None
) -> None:
    server.replies.append(reply)
    error = failure(server.url)
    assert isinstance(error, Unavailable)
    assert error.wait == wait


def test_no_server_may_pass_too(server: RSSFetcherServer) -> None:
    error = failure("http://127.0.0.1:1")
    assert isinstance(error, Unavailable)
    assert "connection refused" in str(error)


def test_an_answer_may_be_compressed(server: RSSFetcherServer) -> None:
    body = gzip.compress(envelope([entry(1)]))
    server.replies.append(Reply(200, body, {"Content-Encoding": "gzip"}))
    assert [row.id for row in fetcher(server.url).page(0, 1)] == [1]
    assert server.requests[0].headers["accept-encoding"] == "gzip"


def test_rows_are_rows_whatever_is_in_them(server: RSSFetcherServer) -> None:
    body = envelope([None, 5, [], {"id": 1}, {"id": 2, "title": "\ud800", "more": 1}], new=1)
    server.replies.append(Reply(200, body.replace(b'"more"', b'"\xff"')))
    assert [row.id for row in fetcher(server.url).page(0, 9)] == [None, None, None, 1, 2]


@pytest.mark.parametrize(
    "start", [b"HTTP/1.1 200 OK\r\n", OK + b"\r\n"], ids=["in its head", "in its body"]
)
def test_a_server_that_drips_is_left_in_the_end(start: bytes) -> None:
    with serving(drip(start, b" ")) as raw:
        error = failure(raw.url, rss_fetcher_total_timeout=0.3)
    assert isinstance(error, Unavailable)
    assert "not done in 0.3 s" in str(error)


def _listen(sock: socket.socket) -> None:
    sock.recv(1)


def test_a_server_that_says_nothing_is_left() -> None:
    with serving(_listen) as raw:
        error = failure(raw.url, rss_fetcher_read_timeout=0.1)
    assert isinstance(error, Unavailable)
    assert "silent for 0.1 s" in str(error)


@pytest.mark.parametrize(
    "talk",
    [
        flood(b"HTTP/1.1 200 OK\r\n", b"X-A: " + b"b" * 999 + b"\r\n"),
        flood(OK + b"\r\n", b" " * 9999),
        flood(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"10\r\n" + b" " * 16 + b"\r\n"),
        OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b" " * 99_999),
    ],
    ids=["head", "body", "chunks", "bomb"],
)
def test_a_server_that_sends_too_much_is_cut_off(talk: Talk | bytes) -> None:
    with serving(talk) as raw:
        error = failure(raw.url, rss_fetcher_max_bytes=10_000)
    assert "--rss-fetcher-batch-size" in str(error) or "headers" in str(error)


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    tls = TLSServer(tmp_path, name="127.0.0.1")
    with serving(tls.talk(OK + b"\r\n" + envelope([])), read=False) as raw:
        error = failure(raw.url.replace("http:", "https:"))
        assert "TLS: self-signed certificate" in str(error)
        assert raw.requests == []


def test_a_netrc_is_not_read_and_no_proxy_leads_to_this_machine(
    server: RSSFetcherServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login other password other\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert fetcher(server.url).page(9, 1)[0].id == 9
    assert server.requests[0].headers["authorization"] == AUTHORIZATION
