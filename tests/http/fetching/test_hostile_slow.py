"""Tests of hostile and broken servers: a fetch ends soon, with a clear error."""

import gzip
import socket
import threading
import time
from contextlib import suppress

import pytest

from indexer.errors import AddressRefused, BadResponse, FetchError, TooLarge
from indexer.http.fetching.encodings import PIECE
from tests.clock import Clock
from tests.each_row import each_row
from tests.http.fetching.clients import client
from tests.http.fetching.raw import Talk, drip, flood, serving
from tests.patience import PATIENCE

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
BOMB = gzip.compress(bytes(20_000_000))


def length(size: int) -> bytes:
    return OK + b"Content-Length: %d\r\n\r\n" % size


DRIPS = [
    ("status line", drip(b"HTTP/1.1 200 ", b"O")),
    ("headers", drip(OK, b"X-A: b\r\n", 0.02)),
    ("one header", drip(OK + b"X-A: ", b"b")),
    ("continuations", drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0.05)),
    ("body", drip(length(1000), b"x")),
    ("body without end", drip(OK + b"\r\n", b"x")),
    ("chunk sizes", drip(CHUNKED, b"1\r\nx\r\n")),
    ("chunk size", drip(CHUNKED, b"0")),
    ("trailers", drip(CHUNKED + b"0\r\n", b"X: y\r\n")),
]


@each_row("talk", [talk for _, talk in DRIPS])
def test_a_slow_drip_ends_at_the_deadline(talk: Talk) -> None:
    with serving(talk) as server, pytest.raises(FetchError, match=r"not done in 0.1 s"):
        client(total_timeout=0.1).get(server.url)


@pytest.mark.parametrize("start", [b"", OK, length(10) + b"half"])
def test_a_server_that_falls_silent_is_left(start: bytes) -> None:
    with (
        serving(drip(start, b"", PATIENCE)) as server,
        pytest.raises(FetchError, match=r"silent for 0.1 s"),
    ):
        client(read_timeout=0.1).get(server.url)


def test_a_tls_handshake_that_never_ends_is_left() -> None:
    hello = drip(b"\x16\x03\x03\x40\x00", b"\x00")
    with serving(hello) as server, pytest.raises(FetchError, match=r"not done in 0.1 s"):
        client(total_timeout=0.1).get(server.url.replace("http:", "https:"))


def test_redirects_share_one_deadline() -> None:
    number = 0

    def talk(sock: socket.socket) -> None:
        nonlocal number
        number += 1
        time.sleep(0.03)
        sock.sendall(b"HTTP/1.1 302 Found\r\nLocation: /%d\r\n\r\n" % number)

    with serving(talk) as server, pytest.raises(FetchError, match=r"not done in 0.1 s"):
        client(total_timeout=0.1).get(server.url)


FLOODS = [
    ("headers", flood(OK, b"X-A: b\r\n" * 1000), BadResponse),
    ("one header", flood(OK + b"X-A: ", b"b" * 10_000), BadResponse),
    ("long headers", flood(OK, b"X-A: " + b"b" * 60_000 + b"\r\n"), BadResponse),
    ("continuations", flood(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000), BadResponse),
    ("body", flood(OK + b"\r\n", b"x" * 10_000), TooLarge),
    ("chunks", flood(CHUNKED, b"5\r\nxxxxx\r\n" * 1000), TooLarge),
    ("chunk of negative size", flood(CHUNKED + b"-1\r\n", b"x" * 10_000), BadResponse),
    ("chunk extension", flood(CHUNKED + b"5;", b"x" * 10_000), BadResponse),
    ("trailers", flood(CHUNKED + b"0\r\n", b"X: y\r\n" * 1000), TooLarge),
]


@each_row(("talk", "error"), [each[1:] for each in FLOODS])
def test_a_flood_ends_at_the_limit(talk: Talk, error: type[FetchError]) -> None:
    with serving(talk) as server, pytest.raises(error):
        client(max_html_bytes=100_000, max_encoded_bytes=100_000).get(server.url)


def test_a_gzip_bomb_ends_at_the_limit() -> None:
    head = OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(BOMB)
    with serving(head + BOMB) as server, pytest.raises(TooLarge, match="larger than"):
        client().get(server.url)


def test_a_body_that_says_it_is_too_large_is_not_read() -> None:
    with serving(length(20_000_000)) as server, pytest.raises(TooLarge, match="20000000 bytes"):
        client().get(server.url)


BROKEN = [
    (b"", FetchError, "closed without an answer"),
    (b"SSH-2.0-OpenSSH_9.2\r\n", BadResponse, "not HTTP"),
    (b"HTTP/1.1 abc\r\n\r\n", BadResponse, "not HTTP"),
    (b"<html>a page without a head</html>", BadResponse, "not HTTP"),
    (b"\x00" * 100, BadResponse, "not HTTP"),
    (length(10) + b"half", BadResponse, "ends too early"),
    (CHUNKED + b"5\r\nhal", BadResponse, "ends too early"),
    (CHUNKED + b"5\r\nwhole\r\n", BadResponse, "ends too early"),
    (CHUNKED + b"zz\r\nwhole\r\n", BadResponse, None),
    (CHUNKED + b"-5\r\nwhole\r\n", BadResponse, None),
    (OK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nwhole", BadResponse, None),
    (OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"x" * 99)[:20], BadResponse, "early"),
    (OK + b"Content-Encoding: gzip\r\n\r\nplain text", BadResponse, "not gzip"),
    (OK + b"Content-Encoding: br\r\n\r\nplain text", BadResponse, None),
]


@each_row(("answer", "error", "why"), BROKEN)
def test_a_broken_answer_is_an_error_that_may_be_temporary(
    answer: bytes, error: type[FetchError], why: str | None
) -> None:
    with serving(answer) as server, pytest.raises(FetchError, match=why) as failed:
        client().get(server.url)

    assert type(failed.value) is error
    assert failed.value.status == "noconn"


@pytest.mark.parametrize(
    "head", [b"Content-Length: -5", b"Content-Length: x", b"Content-Length: " + b"9" * 5000]
)
def test_a_senseless_length_is_no_reason_to_hang(head: bytes) -> None:
    with serving(OK + head + b"\r\n\r\nwhole") as server, suppress(FetchError):
        assert client().get(server.url).body == b"whole"


@each_row("cookie", [b"a=" + b"x" * 60_000, b"a=\x01", b"=;=;=", b"\xff=\xfe"])
def test_a_strange_cookie_does_no_harm(cookie: bytes) -> None:
    def talk(sock: socket.socket) -> None:
        again = len(server.requests) > 1
        found = b"HTTP/1.1 302 Found\r\nLocation: /b\r\nSet-Cookie: " + cookie + b"\r\n\r\n"
        sock.sendall(OK + b"\r\npage" if again else found)

    with serving(talk) as server:
        assert client().get(server.url).body == b"page"


INSIDE = [
    ("http://169.254.169.254/latest/meta-data", "169.254.169.254 refused (cloud metadata)"),
    ("http://2852039166/", "169.254.169.254 refused (cloud metadata)"),
    ("http://0xa9.0xfea9fe/", "169.254.169.254 refused (cloud metadata)"),
    ("http://[::ffff:a9fe:a9fe]/", "refused (cloud metadata)"),
    ("//10.0.0.1/", "10.0.0.1 refused (private)"),
    ("http://inside.test/", "inside.test (10.0.0.1) refused (private)"),
]


@each_row(("location", "why"), INSIDE)
def test_a_redirect_to_a_private_address_is_refused(location: str, why: str) -> None:
    answer = f"HTTP/1.1 302 Found\r\nLocation: {location}\r\n\r\n".encode()
    with serving(answer) as server, pytest.raises(AddressRefused) as refused:
        client(resolve=["inside.test=10.0.0.1"]).get(server.url)

    assert str(refused.value).startswith("redirect to ")
    assert str(refused.value).endswith(why)
    assert refused.value.status == "bad-host"


def test_a_redirect_to_a_dead_host_is_no_connection_error_of_the_first_host() -> None:
    answer = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n"
    with serving(answer) as server, pytest.raises(BadResponse, match="redirect to no connection"):
        client().get(server.url)


def test_a_stream_that_drips_is_left_and_one_that_pauses_is_not(clock: Clock) -> None:
    read = threading.Semaphore(0)

    def talk(sock: socket.socket) -> None:
        sock.sendall(OK + b"\r\n")
        pause = threading.Event()
        for _ in range(3):
            assert read.acquire(timeout=PATIENCE)
            clock.sleep(0.6 * PATIENCE)
            sock.sendall(b"x" * PIECE)
        while not pause.wait(0.01):
            clock.sleep(0.6 * PATIENCE)
            sock.sendall(b"x")

    own = client(clock, total_timeout=PATIENCE)
    with serving(talk) as server, own.open(server.url) as file:
        for _ in range(3):
            read.release()
            assert len(file.read(PIECE)) == PIECE
        with pytest.raises(BadResponse, match=rf"slower than 65536 bytes in {PATIENCE:g} s"):
            file.read()
