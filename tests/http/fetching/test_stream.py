"""Tests of streams: bodies of any length, as they come."""

import gzip
import math
import socket
import threading
from pathlib import Path

import pytest

from indexer.errors import BadResponse, FetchError, TooLarge
from indexer.http.connections.bounded import LeastRate
from indexer.http.connections.failures import FetchFailure
from indexer.http.fetching import Request
from indexer.http.fetching.client import Client
from tests.each_row import each_row
from tests.http.connections.test_tls import TLSServer
from tests.http.fetching.clients import client
from tests.http.fetching.raw import Conversations, drip, serving
from tests.patience import PATIENCE

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def test_a_line_is_there_when_it_was_sent_though_the_stream_goes_on() -> None:
    heard = threading.Event()

    def talk(sock: socket.socket) -> None:
        sock.sendall(CHUNKED + chunk(b"one\r\ntw"))
        assert heard.wait(PATIENCE)
        sock.sendall(chunk(b"o\n\nthree") + b"0\r\n\r\n")

    with serving(talk) as server, client() as own, own.stream(Request(url=server.url)) as stream:
        lines = stream.lines()
        assert next(lines) == b"one"
        heard.set()
        assert list(lines) == [b"two", b"", b"three"]


def test_an_answer_of_any_status_is_a_stream_with_its_head() -> None:
    with (
        serving(b"HTTP/1.1 420 Calm\r\nX-A: b\r\nContent-Length: 4\r\n\r\nwait") as server,
        client() as own,
        own.stream(Request(url=server.url, method="POST", body=b"track=a")) as stream,
    ):
        assert (stream.response.status, stream.response.headers["x-a"]) == (420, "b")
        assert list(stream) == [b"wait"]


def test_a_gzipped_stream_gives_its_lines_as_they_come() -> None:
    heard = threading.Event()

    def talk(sock: socket.socket) -> None:
        sock.sendall(OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"one\n"))
        assert heard.wait(PATIENCE)
        sock.sendall(gzip.compress(b"two\n"))

    with serving(talk) as server, client() as own, own.stream(Request(url=server.url)) as stream:
        lines = stream.lines()
        assert next(lines) == b"one"
        heard.set()
        assert list(lines) == [b"two"]


def test_a_stream_may_be_left_at_any_time() -> None:
    """An endless stream is not read on, and its connection not kept."""
    with serving(drip(CHUNKED, chunk(b"x\n"))) as server, client() as own:
        with own.stream(Request(url=server.url)) as stream:
            assert next(stream.lines()) == b"x"
        with own.stream(Request(url=server.url)) as stream:
            assert next(stream.lines()) == b"x"
    assert len(server.requests) == 2


@each_row(
    ("limits", "failure", "why"),
    [
        ({"pause": 0.05}, FetchFailure.READ_TIMEOUT, "silent for 0.05 s"),
        ({"seconds": 0.1}, FetchFailure.DEADLINE, "not done in 0.1 s"),
        ({"rate": LeastRate(100, 0.1)}, FetchFailure.READ_TIMEOUT, "slower than 100 bytes in 0.1"),
    ],
)
def test_a_stream_is_bounded_by_time_and_rate(
    limits: dict[str, object], failure: FetchFailure, why: str
) -> None:
    """The limit may be reached while the head is read: a busy machine's server answers late."""
    pause = PATIENCE if "pause" in limits else 0.01
    with (
        serving(drip(OK + b"\r\nxx", b"x", pause)) as server,
        client() as own,
        pytest.raises(FetchError, match=why) as failed,
        own.stream(Request(url=server.url, **limits)) as stream,  # type: ignore[arg-type]
    ):
        list(stream)
    assert failed.value.failure == failure


def test_a_stream_is_bounded_by_bytes_if_the_request_says_so() -> None:
    large = OK + b"\r\n" + b"x" * 200_000
    with serving(large) as server, client(max_html_bytes=10, max_encoded_bytes=10) as own:
        with own.stream(Request(url=server.url)) as stream:
            assert sum(map(len, stream)) == 200_000
        with (
            own.stream(Request(url=server.url, max_bytes=100_000)) as stream,
            pytest.raises(TooLarge),
        ):
            list(stream)


def test_a_line_may_not_be_endless() -> None:
    with (
        serving(OK + b"\r\n" + b"x" * 200_000) as server,
        client() as own,
        own.stream(Request(url=server.url)) as stream,
        pytest.raises(TooLarge, match="a line of more than 1000 bytes"),
    ):
        list(stream.lines(1000))


def hung_up_stream(url: str, own: Client) -> BadResponse:
    """The error of a stream that is ended while it waits for the next byte."""
    with own.stream(Request(url=url, pause=PATIENCE)) as stream:
        lines = stream.lines()
        next(lines)
        threading.Timer(0.02, stream.hang_up).start()
        with pytest.raises(BadResponse) as ended:
            next(lines)
    return ended.value


def test_another_thread_may_end_a_stream_that_is_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = drip(CHUNKED + chunk(b"x\n"), b"", PATIENCE)
    with serving(silent) as server, client() as own:
        assert hung_up_stream(server.url, own).failure == FetchFailure.BODY

    tls = TLSServer(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tls.certificate))
    with (
        serving(tls.talk(silent), read=False) as server,
        client(resolve=[f"*.test=127.0.0.1:{server.port}"]) as own,
    ):
        assert hung_up_stream("https://news.test/", own).failure == FetchFailure.BODY


def test_a_stream_that_was_asked_for_without_end_has_a_head_in_time() -> None:
    request = Request(url="", seconds=math.inf)
    with serving(drip(OK, b"X-A: b\r\n", 0.01)) as server, client(total_timeout=0.1) as own:
        endless = Request(url=server.url, seconds=request.seconds)
        with pytest.raises(FetchError, match=r"not done in 0.1 s"), own.stream(endless):
            pass


def test_a_stream_of_a_kept_connection_leaves_it_for_the_next_when_it_was_read() -> None:
    page = OK + b"Content-Length: 4\r\n\r\npage"
    talk = Conversations([page, page])
    with serving(talk, read=False) as server, client() as own:
        for _ in range(2):
            with own.stream(Request(url=server.url)) as stream:
                assert b"".join(stream) == b"page"
    assert talk.counts == [2]
