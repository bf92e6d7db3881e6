"""Tests of records: the bytes of an exchange, as they go over the wire."""

import gzip
import socket
from contextlib import suppress
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any, NamedTuple

import pytest

from indexer.errors import Discard, FetchError, StorageError
from indexer.http.fetching import FetchOptions, Request
from indexer.http.fetching.client import Client
from indexer.http.fetching.credentials import bearer, query_key
from indexer.warc.exchanges import Truncation, WireExchange
from tests.clock import START, Clock
from tests.each_row import each_row
from tests.http.connections.test_tls import TLSServer
from tests.http.fetching.clients import client
from tests.http.fetching.raw import Conversations, Talk, closed, drip, hung_up, serving
from tests.patience import PATIENCE

PAGE = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


class Taken(NamedTuple):
    """An exchange, whose files were read."""

    exchange: WireExchange
    request: bytes
    response: bytes


class Recorder:
    """Keeps the exchanges that a client records."""

    def __init__(self) -> None:
        self.taken: list[Taken] = []

    def __call__(self, exchange: WireExchange) -> None:
        files = (exchange.request, exchange.response)
        for file in files:
            file.seek(0)
        self.taken.append(Taken(exchange, *(file.read() for file in files)))

    @property
    def only(self) -> Taken:
        (taken,) = self.taken
        return taken


def recorded(answer: bytes | Talk, method: str = "GET", **options: Any) -> Taken:
    """The record of one exchange, whatever its result."""
    recorder = Recorder()
    with serving(answer) as server, client(**options) as own:
        request = Request(url=server.url, method=method, record=recorder)
        with suppress(FetchError):
            own.ask(request)
        assert recorder.only.request == server.first_request
    return recorder.only


def test_a_record_has_the_answer_without_the_interim_ones() -> None:
    # ISO 28500, 6.3.2: one `Response` message. Readers take the first head for the answer.
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
    taken = recorded(b"HTTP/1.1 100 Continue\r\n\r\n" + hints + PAGE)
    assert (taken.response, taken.exchange.truncation) == (PAGE, None)


def test_of_interim_answers_alone_nothing_is_recorded() -> None:
    taken = recorded(b"HTTP/1.1 102 Processing\r\n\r\n" * 3)
    assert taken.response == b""


WHOLE = [
    PAGE,
    b"HTTP/1.1 200 \nContent-Length: 4\n\npage",
    CHUNKED + b"2;x=y\r\npa\r\n2\r\nge\r\n0\r\nX: t\r\n\r\n",
    b"HTTP/1.0 200\r\n\r\npage",
    b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno",
    b"HTTP/1.1 204 No Content\r\nX-Folded: a\r\n b\r\nno colon\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(b"page" * 100, mtime=0),
    b"HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n" + b"x" * 300_000,
]


@each_row("answer", WHOLE)
def test_an_answer_is_recorded_byte_for_byte(answer: bytes) -> None:
    taken = recorded(answer)
    assert taken.response == answer
    assert (taken.exchange.truncation, taken.exchange.address) == (None, "127.0.0.1")


@each_row("before", [b"HTTP/1.1 100 Continue\r\n\r\n", b"\r\n"])
def test_what_comes_before_an_answer_is_not_part_of_it(before: bytes) -> None:
    assert recorded(before + PAGE).response == PAGE


@each_row("after", [b"\r\n", PAGE, b"surplus"])
def test_what_comes_after_an_answer_is_not_part_of_it(after: bytes) -> None:
    assert recorded(PAGE + after).response == PAGE


def test_the_answer_to_head_is_its_head() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
    taken = recorded(head, "HEAD")
    assert (taken.response, taken.exchange.truncation) == (head, None)


HALF = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf"


@each_row(
    ("answer", "response", "truncation"),
    [
        (HALF, HALF, Truncation.DISCONNECT),
        (b"HTTP/1.1 200 OK\r\nX-A", b"HTTP/1.1 200 OK\r\nX-A", Truncation.DISCONNECT),
        (b"", b"", Truncation.DISCONNECT),
        (hung_up, b"", Truncation.DISCONNECT),
    ],
)
def test_an_answer_that_ends_early_is_recorded_with_its_reason(
    answer: bytes | Talk, response: bytes, truncation: Truncation
) -> None:
    taken = recorded(answer)
    assert (taken.response, taken.exchange.truncation) == (response, truncation)


def test_a_silent_server_is_recorded_with_the_bytes_that_it_sent_in_time(clock: Clock) -> None:
    """A busy machine's server may send nothing in time; a test's clock makes it late for sure."""

    def late(sock: socket.socket) -> None:
        sock.sendall(HALF)
        clock.sleep(PATIENCE)
        sock.sendall(b"x")

    taken = recorded(late, clock=clock)
    assert taken.exchange.truncation == Truncation.TIME
    assert (HALF + b"x").startswith(taken.response)
    silent = recorded(drip(b"", b"", PATIENCE), read_timeout=0.05)
    assert (silent.response, silent.exchange.truncation) == (b"", Truncation.TIME)


def test_a_body_above_the_limit_is_recorded_as_far_as_it_was_read() -> None:
    answer = b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 200_000
    taken = recorded(answer, max_html_bytes=100_000)
    assert taken.exchange.truncation == Truncation.LENGTH
    assert answer.startswith(taken.response)
    assert len(taken.response) > 100_000


def test_a_body_that_nobody_wants_is_recorded_as_far_as_it_was_read() -> None:
    recorder = Recorder()
    large = b"HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n" + b"x" * 200_000
    with serving(large) as server, client() as own:
        own.ask(Request(url=server.url, wanted=lambda _: False, record=recorder))
    assert recorder.only.response == large[:-200_000]
    assert recorder.only.exchange.truncation == Truncation.UNSPECIFIED


def test_each_exchange_of_a_chain_has_its_own_bytes_on_one_connection(clock: Clock) -> None:
    first = b"HTTP/1.1 303 See Other\r\nLocation: /b\r\nContent-Length: 5\r\n\r\nmoved"
    talk = Conversations([first, PAGE])
    recorder = Recorder()
    options = FetchOptions(allow_address=["127.0.0.1"])
    with serving(talk, read=False) as server, Client(options, clock, now=clock.utc) as own:
        auth = [bearer(server.url, "s3cret"), query_key(server.url, "key", "s3cret")]
        body = [b"ab", b"c"]
        url = f"{server.url}/a"
        own.ask(Request(url=url, method="POST", body=body, auth=auth, record=recorder))

    assert [taken.request for taken in recorder.taken] == talk.requests[0]
    assert [taken.response for taken in recorder.taken] == [first, PAGE]
    exchanges = [taken.exchange for taken in recorder.taken]
    assert [each.url for each in exchanges] == [url, f"{server.url}/b"]
    assert [each.method for each in exchanges] == ["POST", "GET"]
    assert [each.time for each in exchanges] == [START, START]
    # The bytes are those of the wire: whoever writes them removes the secrets.
    assert recorder.taken[0].request.startswith(b"POST /a?key=s3cret HTTP/1.1\r\n")
    assert recorder.taken[0].request.endswith(b"\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n")


def test_a_request_that_was_sent_again_is_recorded_once() -> None:
    talk = Conversations([PAGE, closed], [PAGE])
    recorder = Recorder()
    with serving(talk, read=False) as server, client() as own:
        for _ in range(2):
            own.ask(Request(url=server.url, record=recorder))
    assert [taken.response for taken in recorder.taken] == [PAGE, PAGE]
    assert recorder.taken[1].request == talk.requests[1][0]


def test_a_request_that_was_never_sent_is_not_recorded() -> None:
    recorder = Recorder()
    with client() as own, pytest.raises(FetchError):
        own.ask(Request(url="http://127.0.0.1:1/", record=recorder))
    assert recorder.taken == []


def test_an_exchange_is_recorded_when_the_caller_leaves_it() -> None:
    def refuse(url: str) -> None:
        raise Discard("robots", url)

    moved = b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"
    recorder = Recorder()
    with serving(moved) as server, client() as own, pytest.raises(Discard):
        own.ask(Request(url=server.url, check=refuse, record=recorder))
    assert recorder.only.response == moved


def test_a_failure_of_the_recorder_is_the_callers() -> None:
    def fail(exchange: WireExchange) -> None:
        raise OSError("disk full")

    with serving(PAGE) as server, client() as own, pytest.raises(OSError, match="disk full"):
        own.ask(Request(url=server.url, record=fail))


def test_a_full_disk_is_no_failure_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: object, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(SpooledTemporaryFile, "write", full)
    with serving(PAGE) as server, client() as own, pytest.raises(StorageError, match="No space"):
        own.ask(Request(url=server.url, record=Recorder()))


def test_bytes_are_recorded_without_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tls = TLSServer(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tls.certificate))
    recorder = Recorder()
    with (
        serving(tls.talk(PAGE), read=False) as server,
        client(resolve=[f"*.test=127.0.0.1:{server.port}"]) as own,
    ):
        own.ask(Request(url="https://news.test/", record=recorder))
    assert recorder.only.response == PAGE
    assert recorder.only.request.startswith(b"GET / HTTP/1.1\r\nHost: news.test\r\n")
