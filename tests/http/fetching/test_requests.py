"""Tests of the fields of a request, and of the failures of errors."""

import gzip
import socket
from collections.abc import Callable
from typing import Any

import pytest

from indexer.errors import BadResponse, FetchError
from indexer.http.connections import dialer
from indexer.http.connections.failures import FetchFailure
from indexer.http.fetching import FetchOptions, Request, Response
from indexer.http.fetching.client import Client
from tests.each_row import each_row
from tests.http.fetching.clients import client
from tests.http.fetching.raw import Talk, drip, flood, serving
from tests.patience import PATIENCE

OK = b"HTTP/1.1 200 OK\r\n"
FOUND = b"HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"


def first_found(page: bytes) -> Callable[[socket.socket], None]:
    """A redirect, then a page."""
    answers = [FOUND, page]
    return lambda sock: sock.sendall(answers.pop(0))


def test_headers_are_those_of_each_url() -> None:
    with serving(first_found(OK + b"\r\npage")) as server:

        def headers(url: str) -> dict[str, str]:
            return {"X-There": "yes", "Accept": "text/x"} if url.endswith("/there") else {}

        client().ask(Request(url=server.url, headers=headers))

    here, there = server.requests
    assert b"X-There" not in here
    assert b"X-There: yes\r\n" in there
    assert b"Accept: text/x\r\n" in there


def test_a_redirect_that_is_not_followed_is_the_answer() -> None:
    seen: list[Response] = []

    def follow(response: Response) -> bool:
        seen.append(response)
        return False

    with serving(FOUND) as server:
        response = client().ask(Request(url=server.url, follow=follow))

    assert (response.status, response.reason, response.redirects) == (302, "Found", [])
    assert [each.headers["location"] for each in seen] == ["/there"]


def test_a_request_may_have_a_shorter_time() -> None:
    with serving(drip(OK + b"\r\n", b"x")) as server, pytest.raises(FetchError) as failed:
        client().ask(Request(url=server.url, seconds=0.1))
    assert failed.value.failure == FetchFailure.DEADLINE


@each_row(
    ("answer", "body"),
    [
        (OK + b"Content-Length: 4\r\n\r\npage", b"page"),
        (OK + b"Content-Length: 4\r\n\r\npage\r\n", b"page"),
        (OK + b"Content-Length: 0\r\n\r\n", b""),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n4\r\npage\r\n0\r\n\r\nrest", b"page"),
        (OK + b"\r\npage", b"page"),
    ],
)
def test_a_body_of_the_length_that_it_says_is_exact(answer: bytes, body: bytes) -> None:
    with serving(answer) as server:
        assert client().ask(Request(url=server.url, exact=True)).body == body


@each_row("size", [3, 0, 20_000, 70_000])
def test_a_body_that_goes_on_is_an_error_if_it_is_to_be_exact(size: int) -> None:
    page = b"x" * size
    answer = OK + b"Content-Length: %d\r\n\r\n" % size + page + b"and more"
    with serving(answer) as server:
        assert client().get(server.url).body == page
        if size > 50_000:  # the rest of a larger page may not have been received yet
            return
        with pytest.raises(BadResponse, match="goes on") as failed:
            client().ask(Request(url=server.url, exact=True))
    assert failed.value.failure == FetchFailure.BODY


def test_a_connection_that_stays_open_is_not_waited_for() -> None:
    answer = OK + b"Content-Length: 4\r\n\r\npage"
    with serving(drip(answer, b"", PATIENCE)) as server:
        response = client().ask(Request(url=server.url, exact=True))
    assert response.body == b"page"


def test_a_thousand_headers_are_taken() -> None:
    with serving(OK + b"X-A: b\r\n" * 1000 + b"\r\npage") as server:
        response = client().get(server.url)
    assert (response.body, response.headers["x-a"][:7]) == (b"page", "b, b, b")


FAILURES: list[tuple[str, bytes | Talk, FetchFailure]] = [
    ("closed", b"", FetchFailure.CONNECTION),
    ("no HTTP", b"SSH-2.0\r\n", FetchFailure.CONNECTION),
    ("1001 headers", OK + b"X-A: b\r\n" * 1001 + b"\r\n", FetchFailure.CONNECTION),
    ("long headers", flood(OK, b"X-A: " + b"b" * 60_000 + b"\r\n"), FetchFailure.CONNECTION),
    ("cut off", OK + b"Content-Length: 9\r\n\r\nx", FetchFailure.BODY),
    ("no gzip", OK + b"Content-Encoding: gzip\r\n\r\nx" + b"y" * 99, FetchFailure.BODY),
    ("half of gzip", OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"x")[:15],
     FetchFailure.BODY),
    ("too large", flood(OK + b"\r\n", b"x" * 9999), FetchFailure.SIZE),
    ("a loop", FOUND, FetchFailure.REDIRECTS),
    ("no Location", b"HTTP/1.1 302 Found\r\n\r\n", FetchFailure.URL),
    ("to FTP", b"HTTP/1.1 302 Found\r\nLocation: ftp://a/\r\n\r\n", FetchFailure.URL),
    ("to the inside", b"HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\n\r\n",
     FetchFailure.ADDRESS),
    ("to nobody", b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n",
     FetchFailure.CONNECTION),
]  # fmt: skip


@each_row(("answer", "failure"), [each[1:] for each in FAILURES])
def test_an_error_has_the_kind_of_its_failure(answer: bytes | Talk, failure: FetchFailure) -> None:
    with serving(answer) as server, pytest.raises(FetchError) as failed:
        client(max_html_bytes=100_000).get(server.url)
    assert failed.value.failure == failure


@each_row("start", [b"", OK + b"\r\nx"])
def test_silence_is_a_timeout_of_reading(start: bytes) -> None:
    with serving(drip(start, b"", PATIENCE)) as server, pytest.raises(FetchError) as failed:
        client(read_timeout=0.05).get(server.url)
    assert failed.value.failure == FetchFailure.READ_TIMEOUT


@each_row(
    ("error", "failure"),
    [
        (socket.gaierror(socket.EAI_NONAME, "unknown"), FetchFailure.UNKNOWN_HOST),
        (socket.gaierror(socket.EAI_AGAIN, "later"), FetchFailure.LOOK_UP_NOW),
        (socket.gaierror(socket.EAI_FAIL, "never"), FetchFailure.LOOK_UP),
        (UnicodeError("label too long"), FetchFailure.URL),
        (OSError("no resolver"), FetchFailure.LOOK_UP),
    ],
)
def test_a_failed_look_up_has_a_reason(error: Exception, failure: FetchFailure) -> None:
    def look_up(*_: Any, **__: Any) -> Any:
        raise error

    with pytest.raises(FetchError) as failed:
        Client(FetchOptions(), look_up=look_up).get("http://news.test/")
    assert failed.value.failure == failure


def test_a_connection_that_takes_too_long_has_its_own_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def connect(*_: Any) -> Any:
        raise TimeoutError("timed out")

    monkeypatch.setattr(dialer, "_connect", connect)
    with pytest.raises(FetchError) as failed:
        client().get("http://127.0.0.1/")
    assert failed.value.failure == FetchFailure.CONNECT_TIMEOUT
    with pytest.raises(FetchError) as failed:
        client().ask(Request(url="http://127.0.0.1/", seconds=0.0))
    assert failed.value.failure == FetchFailure.DEADLINE


def test_a_tls_failure_is_its_own_kind() -> None:
    plain = b"HTTP/1.1 400 Bad Request\r\n\r\n"
    with serving(plain) as server, pytest.raises(FetchError) as failed:
        client().get(server.url.replace("http:", "https:"))
    assert failed.value.failure == FetchFailure.TLS


@pytest.mark.parametrize("value", ["a\r\nb: c", "\u4e2d"])
def test_a_header_that_can_not_be_sent_is_a_bad_value(value: str) -> None:
    request = Request(url="http://127.0.0.1:1/", headers=lambda _: {"X-A": value})
    with pytest.raises(FetchError) as failed:
        client().ask(request)
    assert failed.value.failure == FetchFailure.VALUE
