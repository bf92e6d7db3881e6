"""Tests of the reader of answers.

Servers in the wild: nginx and Apache add `Connection: close` beside a length, and close idle
connections with or without a 408 (HAProxy, Apache, AWS ELB). IIS and proxies send 100 unasked;
Cloudflare 103. Old CGI scripts end lines with LF alone, send no reason and no length, and speak
HTTP/1.0, some with keep-alive. PHP behind a proxy sends Content-Length and Transfer-Encoding, or
one of them twice. Old IIS pads the sizes of chunks with spaces. Embedded servers close after the
last chunk without the empty line, and send blank lines before a status line. CDNs send a body with
304, application servers with 204. Java servers fold headers.
"""

import http.client
import io
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from indexer.http.connections.bounded import Allowance, BoundedSocket
from indexer.http.connections.connection import ServerConnection
from indexer.http.fetching.answer import MAX_HEADERS, MAX_INTERIM, Answer
from tests.each_row import each_row

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

OK = b"HTTP/1.1 200 OK\r\n"
LENGTH = OK + b"Content-Length: 4\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n"


@contextmanager
def received(data: bytes) -> Iterator[ServerConnection]:
    """A connection whose server has sent these bytes and closed it."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        sock = BoundedSocket()
        sock.connect(listening.getsockname())
        server, _ = listening.accept()
    with server:
        server.sendall(data)
        server.shutdown(socket.SHUT_WR)
        connection = ServerConnection(sock)
        allowance = Allowance(5.0, 5.0)
        allowance.grant(1_000_000)
        connection.begin(allowance)
        yield connection
        connection.close()


def read(data: bytes, method: str = "GET") -> tuple[Answer, bytes, bytes]:
    """The answer, its body, and the bytes that the tap got."""
    taped: list[bytes] = []
    with received(data) as connection:
        answer = Answer(connection, method, taped.append)
        body = b"".join(answer.pieces())
    return answer, body, b"".join(taped)


PLAIN = [
    LENGTH + b"\r\npage",
    CHUNKED + b"\r\n4\r\npage\r\n0\r\n\r\n",
    CHUNKED + b"\r\n2;a=b\r\npa\r\n02  \r\nge\r\n000\r\nX-Trailer: 1\r\n\r\n",
    b"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 4\r\n\r\npage",
    b"HTTP/1.1 200\r\ncontent-length:4\r\n\r\npage",
    b"HTTP/1.1 200 \nContent-Length: 4\n\npage",
]


@each_row("data", PLAIN)
def test_a_plain_answer_may_be_followed_by_another(data: bytes) -> None:
    answer, body, taped = read(data)
    assert (answer.status, body, answer.is_whole, answer.is_last) == (200, b"page", True, False)
    assert taped == data


LAST = [
    LENGTH + b"Connection: close\r\n\r\npage",
    LENGTH + b"Connection: keep-alive, Close\r\n\r\npage",
    LENGTH + b"Connection: keep-alive\r\nConnection: close\r\n\r\npage",
    b"HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\npage",
    OK + b"\r\npage",
    LENGTH + LENGTH.partition(b"\r\n")[2] + b"\r\npage",
    OK + b"Content-Length: 4, 4\r\n\r\npage",
    OK + b"Content-Length : 4\r\n\r\npage",
    OK + b"Content-Length: +4\r\n\r\npage",
    OK + b"Content-Length: 0x4\r\n\r\npage",
    OK + b"Content-Length: -1\r\n\r\npage",
    CHUNKED + b"Content-Length: 9\r\n\r\n4\r\npage\r\n0\r\n\r\n",
    CHUNKED + b"Transfer-Encoding: chunked\r\n\r\n4\r\npage\r\n0\r\n\r\n",
    OK + b"Transfer-Encoding: identity, chunked\r\n\r\n4\r\npage\r\n0\r\n\r\n",
    OK + b"Transfer-Encoding: identity\r\nContent-Length: 4\r\n\r\npage",
    b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"4\r\npage\r\n0\r\n\r\n",
    CHUNKED + b"\r\n4\r\npage\r\n0\r\n",
    LENGTH + b"a line without a colon\r\n\r\npage",
    LENGTH + b"X-Folded: a\r\n b\r\n\r\npage",
    b"\r\n\r\n" + LENGTH + b"\r\npage",
]  # fmt: skip


@each_row("data", LAST)
def test_an_answer_whose_end_is_in_doubt_is_the_last_of_its_connection(data: bytes) -> None:
    answer, body, taped = read(data)
    assert (answer.status, body, answer.is_whole, answer.is_last) == (200, b"page", True, True)
    assert taped == data.lstrip(b"\r\n")


@each_row(
    ("method", "head", "is_last"),
    [
        ("HEAD", LENGTH, False),
        ("HEAD", CHUNKED, False),
        ("GET", b"HTTP/1.1 204 No Content\r\n", False),
        ("GET", b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n", False),
        ("GET", b"HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n", True),
        ("GET", b"HTTP/1.1 304 Not Modified\r\n", False),
        ("GET", b"HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n", True),
        ("GET", b"HTTP/1.1 101 Switching\r\n", True),
    ],
)
def test_an_answer_that_has_no_body_ends_with_its_head(
    method: str, head: bytes, is_last: bool
) -> None:
    answer, body, taped = read(head + b"\r\n", method)
    assert (body, answer.is_whole, answer.is_last) == (b"", True, is_last)
    assert taped == head + b"\r\n"


def test_a_body_that_no_answer_may_have_is_surplus() -> None:
    with received(b"HTTP/1.1 304 Not Modified\r\n\r\npage") as connection:
        answer = Answer(connection, "GET")
        assert list(answer.pieces()) == []
        assert answer.surplus() == b"page"


INTERIM = [
    b"100 Continue\r\n",
    b"100\n",
    b"102 Processing\r\n",
    b"103 Early Hints\r\nLink: </a.css>; rel=preload\r\nlink: </b.js>\r\n",
    b"103 Early Hints\r\nContent-Length: 9\r\nConnection: close\r\nno header\r\n folded\r\n",
    b"104 Upload Resumption Supported\r\nUpload-Offset: 7\r\n",
    b"110 Response is Stale\r\n",
    b"199\r\n",
]


@each_row(
    "interim",
    [*([each] for each in INTERIM), [INTERIM[3]] * 2, INTERIM, INTERIM[:1] * MAX_INTERIM],
)
def test_interim_answers_are_skipped_and_not_recorded(interim: list[bytes]) -> None:
    page = LENGTH + b"\r\npage"
    answer, body, taped = read(b"".join(b"HTTP/1.1 " + each + b"\r\n" for each in interim) + page)
    assert (answer.status, body, taped, answer.is_last) == (200, b"page", page, False)
    assert "link" not in answer.headers


def test_too_many_interim_answers_are_an_error_with_a_name() -> None:
    with pytest.raises(http.client.HTTPException, match=r"^more than 100 interim answers$"):
        read(b"HTTP/1.1 102 Processing\r\n\r\n" * (MAX_INTERIM + 1) + LENGTH + b"\r\npage")


def test_a_switch_of_protocols_is_the_last_answer_of_its_connection() -> None:
    head = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n"
    answer, body, taped = read(b"HTTP/1.1 103\r\n\r\n" + head + LENGTH + b"\r\npage")
    assert (answer.status, body, taped, answer.is_last) == (101, b"", head, True)


def test_headers_are_read_as_they_come() -> None:
    head = b"Set-Cookie: a=1\r\nX-A:  b \t\r\nset-cookie: b=2\r\nX-F: c\r\n\td\r\nX-\xe9: \xff\r\n"
    answer, _, _ = read(LENGTH + head + b"\r\npage")
    assert answer.headers.getlist("Set-Cookie") == ["a=1", "b=2"]
    assert [answer.headers[name] for name in ("x-a", "x-f", "x-\xe9")] == ["b", "c d", "\xff"]


@each_row(
    ("keep_alive", "seconds"),
    [
        ("timeout=5, max=100", 5.0),
        ("max=99,Timeout = 60", 60.0),
        ("timeout=5, max=0", 0.0),
        ("300", None),
        ("", None),
    ],
)
def test_the_time_for_which_a_server_keeps_a_connection(
    keep_alive: str, seconds: float | None
) -> None:
    head = b"Keep-Alive: " + keep_alive.encode() + b"\r\n"
    assert read(LENGTH + head + b"\r\npage")[0].idle_seconds == seconds


@each_row(
    ("data", "error"),
    [
        (b"", http.client.RemoteDisconnected),
        (b"\r\n\r\n", http.client.RemoteDisconnected),
        (b"HTTP/1.1 100 Continue\r\n\r\n", http.client.RemoteDisconnected),
        (b"HTTP/1.1 100 Continue\r\n", http.client.IncompleteRead),
        (b"HTTP/1.1 103 Early Hints\r\nLink: <", http.client.IncompleteRead),
        (b"HTTP/1.1 103\r\nX-A: " + b"b" * 65_536 + b"\n\n", http.client.LineTooLong),
        (b"HTTP/1.1 103\r\n\r\na body" + LENGTH + b"\r\npage", http.client.BadStatusLine),
        (b"HTTP/1.1 2", http.client.BadStatusLine),
        (b"HTTP/2 200 OK\r\n\r\n", http.client.BadStatusLine),
        (b"HTTP/1.1 20 OK\r\n\r\n", http.client.BadStatusLine),
        (LENGTH, http.client.IncompleteRead),
        (LENGTH + b"X-A: b", http.client.IncompleteRead),
        (OK + b"X-A: " + b"b" * 70_000 + b"\r\n\r\n", http.client.LineTooLong),
        (OK + b"X-A: b\r\n" * (MAX_HEADERS + 1) + b"\r\n", http.client.HTTPException),
        (OK + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\npage", http.client.HTTPException),
        (OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", http.client.HTTPException),
        (LENGTH + b"\r\npag", http.client.IncompleteRead),
        (CHUNKED + b"\r\n4\r\npage\r\n", http.client.IncompleteRead),
        (CHUNKED + b"\r\n4\r\npag", http.client.IncompleteRead),
        (CHUNKED + b"\r\n3\r\npage\r\n0\r\n\r\n", http.client.HTTPException),
        (CHUNKED + b"\r\n0x4\r\npage\r\n0\r\n\r\n", http.client.HTTPException),
        (CHUNKED + b"\r\n+4\r\npage\r\n0\r\n\r\n", http.client.HTTPException),
        (CHUNKED + b"\r\n\r\npage\r\n0\r\n\r\n", http.client.HTTPException),
    ],
)
def test_an_answer_that_is_broken_is_an_error(
    data: bytes, error: type[http.client.HTTPException]
) -> None:
    with pytest.raises(error):
        read(data)


class _Dripping(io.BytesIO):
    """A file that gives a byte at a time."""

    def readinto(self, buffer: "WriteableBuffer") -> int:
        return super().readinto(memoryview(buffer)[:1])


def _head(data: bytes, raw: type[io.BytesIO]) -> object:
    """All that is known of an answer after its head; or its error."""
    reader = io.BufferedReader(cast(io.RawIOBase, raw(data)), 65_536)
    taped: list[bytes] = []
    connection = cast(ServerConnection, SimpleNamespace(reader=reader))
    try:
        answer = Answer(connection, "GET", taped.append)
    except http.client.HTTPException as error:
        return type(error), str(error)
    headers = [(name, answer.headers.getlist(name)) for name in answer.headers]
    about = (answer.status, answer.reason, answer.is_last, answer.length, headers)
    return about, b"".join(taped), b"".join(answer.pieces())


@each_row(
    "head",
    [
        LENGTH,
        b"HTTP/1.0 404 Not Found\r\nContent-Length: 4\r\n",
        b"HTTP/1.1 200\r\nContent-Length:4\r\n",
        b"HTTP/1.1 200 \r\nContent-Length:\t4 \t\r\n",
        b"HTTP/1.1  200  So  so  \r\nContent-Length: 4\r\n",
        b"HTTP/1.2 200 OK\r\nContent-Length: 4\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" + LENGTH,
        b"HTTP/1.1 999 Denied\r\nContent-Length: 4\r\n",
        b"\r\n" + LENGTH,
        OK,
        LENGTH.replace(b"\r\n", b"\n"),
        LENGTH + b"A:\r\nB: \r\nC: c:c\r\na: d\td\r\n",
        LENGTH + b"A : b\r\n",
        LENGTH + b": b\r\n",
        LENGTH + b"no header\r\n",
        LENGTH + b"A: b\r\n folded\r\n",
        LENGTH + b"A: \xe9\r\n\xe9: b\r\n",
        LENGTH + b"A: \x00\x1b\r\n",
        LENGTH + b"A: b\rc\r\n",
        LENGTH + b"Connection: close\r\n",
        LENGTH + b"A: b\r\n" * (MAX_HEADERS - 1),
        LENGTH + b"A: b\r\n" * MAX_HEADERS,
        b"HTTP/2 200 OK\r\n",
    ],
)
def test_a_head_is_the_same_at_once_and_byte_by_byte(head: bytes) -> None:
    """A head that arrived whole, in the usual form, is not read line by line."""
    data = head + b"\r\npage"
    assert _head(data, io.BytesIO) == _head(data, _Dripping)
