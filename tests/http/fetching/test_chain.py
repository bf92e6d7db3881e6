"""Tests of redirects: the method and the body of the request after one."""

import io

import pytest

from indexer.errors import FetchError, TooManyRedirects
from indexer.http.fetching import Request
from indexer.http.fetching.chain import redirected_method
from tests.each_row import each_row
from tests.http.fetching.clients import client
from tests.http.fetching.raw import Conversations, serving

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def to(status: int, location: str = "/there") -> bytes:
    line = f"HTTP/1.1 {status} Moved\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"
    return line.encode()


@each_row(
    ("status", "method", "then"),
    [
        *[(status, "GET", "GET") for status in (301, 302, 303, 307, 308)],
        *[(status, "HEAD", "HEAD") for status in (301, 302, 303, 307, 308)],
        *[(status, "POST", "GET") for status in (301, 302, 303)],
        *[(status, "POST", "POST") for status in (307, 308)],
        *[(status, "PUT", "PUT") for status in (301, 302, 307, 308)],
        (303, "PUT", "GET"),
        (303, "DELETE", "GET"),
    ],
)
def test_the_method_after_a_redirect(status: int, method: str, then: str) -> None:
    assert redirected_method(status, method) == then


def test_after_a_post_a_page_is_fetched_without_the_body_and_its_headers() -> None:
    talk = Conversations([to(303), OK], [OK])
    headers = {"Content-Type": "x/y", "Content-Language": "en", "X-Own": "1"}
    with serving(talk, read=False) as server, client() as own:
        request = Request(url=server.url, method="POST", body=b"abc", headers=lambda _: headers)
        assert own.ask(request).body == b"ok"

    first, second = (each for connection in talk.requests for each in connection)
    assert first.startswith(b"POST / ")
    assert second.startswith(b"GET /there ")
    assert b"X-Own: 1" in second
    assert b"Content-" not in second


@each_row("body", [b"abc", io.BytesIO(b"abc"), [b"abc"]])
def test_a_308_repeats_the_body(body: bytes) -> None:
    talk = Conversations([to(308)], [OK])
    with serving(talk, read=False) as server, client(keep_connections=0) as own:
        assert own.ask(Request(url=server.url, method="POST", body=body)).body == b"ok"
    assert [each[0].partition(b"\r\n\r\n")[2].count(b"abc") for each in talk.requests] == [1, 1]


def test_a_body_that_can_not_be_sent_again_ends_the_chain() -> None:
    talk = Conversations([to(307)])
    with serving(talk, read=False) as server, client() as own:
        request = Request(url=server.url, method="POST", body=iter([b"abc"]))
        with pytest.raises(FetchError, match="HTTP 307: the body of the request can't be sent"):
            own.ask(request)


def test_a_page_may_redirect_a_post_to_itself_but_not_a_get() -> None:
    talk = Conversations([to(302, "/")], [OK])
    with serving(talk, read=False) as server, client(keep_connections=0) as own:
        assert own.ask(Request(url=server.url, method="POST", body=b"a")).body == b"ok"

    talk = Conversations([to(302, "/")], [to(302, "/")])
    with (
        serving(talk, read=False) as server,
        client(keep_connections=0) as own,
        pytest.raises(TooManyRedirects),
    ):
        own.ask(Request(url=server.url))
