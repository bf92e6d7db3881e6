"""Tests of the bodies of requests, as servers receive them."""

import io
import os
import socket
from collections.abc import Iterable, Iterator

import pytest

from indexer.errors import FetchError
from indexer.http.connections.failures import FetchFailure
from indexer.http.fetching import Request
from indexer.http.fetching.bodies import Body, RequestBody
from tests.each_row import each_row
from tests.http.fetching.clients import client
from tests.http.fetching.raw import Conversations, hung_up, serving

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def sent(method: str, body: Body | None, headers: dict[str, str] | None = None) -> bytes:
    """The request as a server receives it."""
    talk = Conversations([OK])
    with serving(talk, read=False) as server, client() as own:
        request = Request(url=server.url, method=method, body=body, headers=lambda _: headers or {})
        assert own.ask(request).body == b"ok"
    return talk.requests[0][0]


@each_row("method", ["GET", "HEAD", "OPTIONS", "DELETE", "PROPFIND"])
def test_a_request_without_a_body_has_no_length(method: str) -> None:
    talk = Conversations([OK if method != "HEAD" else b"HTTP/1.1 200 OK\r\n\r\n"])
    with serving(talk, read=False) as server, client() as own:
        own.ask(Request(url=server.url, method=method))
    head = talk.requests[0][0]
    assert head.startswith(method.encode() + b" / HTTP/1.1\r\nHost: 127.0.0.1:")
    assert b"Content-Length" not in head


@each_row("method", ["POST", "PUT", "PATCH"])
def test_an_empty_body_has_the_length_0(method: str) -> None:
    assert b"\r\nContent-Length: 0\r\n" in sent(method, None)
    assert b"\r\nContent-Length: 0\r\n" in sent(method, b"")


def test_bytes_are_sent_with_their_length_and_the_headers_of_the_caller() -> None:
    head, _, body = sent("POST", b"a=1&b=2", {"Content-Type": "x/y"}).partition(b"\r\n\r\n")
    assert b"\r\nContent-Length: 7" in head
    assert b"\r\nContent-Type: x/y\r\n" in head
    assert body == b"a=1&b=2"


def test_a_file_is_sent_from_its_position_to_its_end() -> None:
    file = io.BytesIO(b"-" * 10 + b"x" * 200_000)
    file.seek(10)
    head, _, body = sent("PUT", file).partition(b"\r\n\r\n")
    assert b"\r\nContent-Length: 200000" in head
    assert body == b"x" * 200_000


def test_pieces_and_pipes_are_sent_as_chunks() -> None:
    head, _, body = sent("PUT", iter([b"abc", b"", b"defgh"])).partition(b"\r\n\r\n")
    assert b"\r\nTransfer-Encoding: chunked" in head
    assert b"Content-Length" not in head
    assert body == b"3\r\nabc\r\n5\r\ndefgh\r\n0\r\n\r\n"

    reading, writing = os.pipe()
    os.write(writing, b"from a pipe")
    os.close(writing)
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        assert sent("POST", pipe).endswith(b"\r\n\r\nb\r\nfrom a pipe\r\n0\r\n\r\n")


class Pieces:
    """Pieces that can be sent again."""

    def __iter__(self) -> Iterator[bytes]:
        return iter([b"ab", b"c"])


@each_row(
    ("body", "can_repeat", "size"),
    [
        (b"abc", True, 3),
        (io.BytesIO(b"abc"), True, 3),
        ([b"ab", b"c"], True, None),
        (Pieces(), True, None),
        (iter([b"ab", b"c"]), False, None),
    ],
)
def test_a_body_knows_whether_it_can_be_sent_again(
    body: Iterable[bytes], can_repeat: bool, size: int | None
) -> None:
    upload = RequestBody(body)
    assert (upload.can_repeat, upload.size) == (can_repeat, size)
    whole = [b"".join(upload.pieces()) for _ in range(2 if can_repeat else 1)]
    assert len(set(whole)) == 1


def test_a_file_that_has_become_shorter_is_an_error_not_a_short_body() -> None:
    class Shrinking(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            self.truncate(3)
            return super().read(size)

    with (
        serving(Conversations([OK]), read=False) as server,
        client() as own,
        pytest.raises(FetchError, match="ends 7 bytes before its size of 10") as failed,
    ):
        own.ask(Request(url=server.url, method="PUT", body=Shrinking(b"x" * 10)))
    assert failed.value.failure == FetchFailure.VALUE


def test_a_failure_of_the_callers_file_is_the_callers() -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise OSError("a bad block")

    with (
        serving(Conversations([OK]), read=False) as server,
        client() as own,
        pytest.raises(OSError, match="a bad block"),
    ):
        own.ask(Request(url=server.url, method="PUT", body=Broken(b"x" * 10)))


def test_an_answer_before_the_end_of_the_body_is_the_answer() -> None:
    """413 of nginx and S3: they answer after the head, and close while the body is coming."""

    def refuse(sock: socket.socket) -> None:
        sock.recv(1000)
        sock.sendall(b"HTTP/1.1 413 Too Large\r\nConnection: close\r\n\r\n")
        # The client still sends, so that closing resets the connection.
        hung_up(sock)

    pieces = (b"x" * 65_536 for _ in range(1000))
    with serving(refuse, read=False) as server, client() as own:
        answer = own.ask(Request(url=server.url, method="PUT", body=pieces))
    assert answer.status == 413


def test_a_connection_that_is_lost_before_the_answer_is_an_error() -> None:
    pieces = (b"x" * 65_536 for _ in range(1000))
    with serving(hung_up) as server, client() as own, pytest.raises(FetchError) as failed:
        own.ask(Request(url=server.url, method="PUT", body=pieces))
    assert failed.value.failure == FetchFailure.CONNECTION


@each_row(
    ("method", "headers"),
    [
        ("GET /secret", {}),
        ("CONNECT", {}),
        ("", {}),
        ("GET", {"X-A": "secret\r\nb: c"}),
        ("GET", {"X-A": "secret\u4e2d"}),
        ("GET", {"X A": "secret"}),
        ("POST", {"content-length": "5"}),
        ("POST", {"Transfer-Encoding": "chunked"}),
        ("GET", {"Host": "other.test"}),
    ],
)
def test_a_request_that_can_not_be_sent_is_refused_without_its_values(
    method: str, headers: dict[str, str]
) -> None:
    request = Request(url="http://127.0.0.1:1/", method=method, headers=lambda _: headers)
    with pytest.raises(FetchError) as failed:
        client().ask(request)
    assert failed.value.failure == FetchFailure.VALUE
    assert "secret" not in str(failed.value) or "secret" in method
