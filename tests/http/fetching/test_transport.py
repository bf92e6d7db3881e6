"""Tests of kept connections: no answer is ever taken for that of another request."""

import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from urllib3.util import wait_for_read

from indexer.errors import BadResponse, FetchError, TooLarge
from indexer.http.connections.failures import FetchFailure
from indexer.http.fetching import Request
from tests.clock import Clock
from tests.each_row import each_row
from tests.http.connections.test_tls import TLSServer
from tests.http.fetching.clients import client
from tests.http.fetching.raw import Conversations, Talk, closed, hung_up, read_request, serving
from tests.patience import PATIENCE


def page(text: bytes, head: bytes = b"", status: bytes = b"200 OK") -> bytes:
    return b"HTTP/1.1 %b\r\nContent-Length: %d\r\n%b\r\n%b" % (status, len(text), head, text)


ONE, TWO = page(b"one"), page(b"two")


def bodies(talk: Conversations, requests: int = 2, **options: Any) -> list[bytes]:
    """The bodies of several requests of one client, one after the other."""
    with serving(talk, read=False) as server, client(**options) as own:
        return [own.get(server.url).body for _ in range(requests)]


def test_requests_to_one_server_share_a_connection() -> None:
    talk = Conversations([ONE, TWO, ONE])
    assert bodies(talk, 3) == [b"one", b"two", b"one"]
    assert talk.counts == [3]


HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"


def in_packets(data: bytes, size: int) -> Talk:
    """Sends an answer in packets of a few bytes."""

    def talk(sock: socket.socket) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for start in range(0, len(data), size):
            sock.sendall(data[start : start + size])

    return talk


@each_row("size", [1, 7, 19, 10_000])
def test_interim_answers_do_not_confuse_the_requests_of_a_connection(size: int) -> None:
    talk = Conversations([*(in_packets(2 * HINTS + each, size) for each in (ONE, TWO, ONE))])
    assert bodies(talk, 3) == [b"one", b"two", b"one"]
    assert talk.counts == [3]


def test_an_interim_answer_after_the_answer_ends_its_connection() -> None:
    talk = Conversations([ONE + HINTS, TWO], [TWO])
    assert bodies(talk) == [b"one", b"two"]
    assert talk.counts == [1, 1]


def test_a_switch_of_protocols_ends_its_connection() -> None:
    switch = b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"
    talk = Conversations([switch, TWO], [TWO])
    assert bodies(talk) == [b"", b"two"]
    assert talk.counts == [1, 1]


@each_row(
    ("interim", "why"),
    [
        (HINTS * 101, "not HTTP: more than 100 interim answers"),
        (HINTS.replace(b"a.css", b"a" * 60_000) * 5, "more than 262144 bytes of headers"),
        (HINTS, "closed without an answer"),
    ],
)
def test_interim_answers_without_an_answer_are_a_failure(interim: bytes, why: str) -> None:
    talk = Conversations([interim])
    with pytest.raises(FetchError, match=why) as failed:
        bodies(talk, 1)
    assert failed.value.failure is FetchFailure.CONNECTION


def test_a_client_may_keep_no_connections() -> None:
    for options in ({"keep_connections": 0}, {"keep_seconds": 0}):
        talk = Conversations([ONE], [TWO])
        assert bodies(talk, **options) == [b"one", b"two"]


def test_an_idle_connection_is_closed_after_its_time(clock: Clock) -> None:
    for head, seconds, connections in (
        (b"", 9.9, 1),
        (b"", 10.0, 2),
        (b"Keep-Alive: timeout=5\r\n", 3.9, 1),
        (b"Keep-Alive: timeout=5\r\n", 4.0, 2),  # a second before the server closes it
        (b"Keep-Alive: timeout=500\r\n", 10.0, 2),
    ):
        talk = Conversations(*[[page(b"one", head), TWO], [TWO]])
        with serving(talk, read=False) as server, client(clock, keep_seconds=10.0) as own:
            own.get(server.url)
            clock.sleep(seconds)
            assert own.get(server.url).body == b"two"
        assert len(talk.counts) == connections


def test_at_most_so_many_connections_are_kept() -> None:
    talks = [Conversations([ONE, TWO], [TWO]) for _ in range(3)]
    with (
        serving(talks[0], read=False) as a,
        serving(talks[1], read=False) as b,
        serving(talks[2], read=False) as c,
        client(keep_connections=2) as own,
    ):
        for server in (a, b, c, c, b, a):
            own.get(server.url)
    # The connection that was used longest ago was closed.
    assert [len(talk.counts) for talk in talks] == [2, 1, 1]


def test_a_connection_belongs_to_one_origin() -> None:
    talk = Conversations([ONE], [TWO])
    with serving(talk, read=False) as server, client(resolve=["*.test=127.0.0.1"]) as own:
        for host in ("a.test", "b.test"):
            own.get(f"http://{host}:{server.port}/")
    assert talk.counts == [1, 1]


def test_a_closed_client_keeps_no_connection() -> None:
    ended = threading.Event()

    def wait_for_end(sock: socket.socket) -> None:
        sock.sendall(ONE)
        assert sock.recv(1) == b""
        ended.set()

    talk = Conversations([wait_for_end], [wait_for_end])
    with serving(talk, read=False) as server:
        own = client()
        own.get(server.url)
        own.close()
        assert ended.wait(PATIENCE)
        ended.clear()
        own.get(server.url)
        assert ended.wait(PATIENCE)


def test_threads_never_share_a_connection() -> None:
    def echo(sock: socket.socket) -> None:
        while request := read_request(sock):
            sock.sendall(page(request.split(b" ")[1]))

    found: dict[str, bytes] = {}
    with serving(echo, read=False) as server, client() as own:

        def ask(name: str) -> None:
            for number in range(20):
                found[f"/{name}/{number}"] = own.get(f"{server.url}/{name}/{number}").body

        threads = [threading.Thread(target=ask, args=(str(name),)) for name in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(found) == 120
    assert all(path.encode() == body for path, body in found.items())


LEFTOVERS = [
    ONE + TWO,
    ONE + b"x",
    ONE + b"\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n" + TWO,
]


@each_row("answer", LEFTOVERS)
def test_bytes_after_an_answer_are_never_the_next_answer(answer: bytes) -> None:
    talk = Conversations([answer], [page(b"right")])
    assert bodies(talk) == [b"one", b"right"]


@each_row("status", [b"204 No Content", b"304 Not Modified"])
def test_the_body_of_an_answer_without_one_is_never_the_next_answer(status: bytes) -> None:
    talk = Conversations([b"HTTP/1.1 %b\r\n\r\n" % status + TWO], [page(b"right")])
    assert bodies(talk) == [b"", b"right"]


@each_row(
    "late",
    [
        page(b"", b"Connection: close\r\n", b"408 Request Timeout"),
        b"HTTP/1.0 408 Request Time-out\r\nCache-Control: no-cache\r\n\r\n<html>late</html>",
        b"x",
        TWO,
    ],
)
def test_what_a_server_sends_on_an_idle_connection_answers_no_request(late: bytes) -> None:
    def answer(sock: socket.socket) -> None:
        sock.sendall(ONE)
        idle.wait(PATIENCE)
        sock.sendall(late)

    idle = threading.Event()
    talk = Conversations([answer], [page(b"right")])
    with serving(talk, read=False) as server, client() as own:
        assert own.get(server.url).body == b"one"
        idle.set()
        # What was sent need not have arrived.
        (kept,) = own._transport._pool._kept
        assert wait_for_read(kept.connection._sock, PATIENCE)
        assert own.get(server.url).body == b"right"


def test_a_408_that_crosses_the_request_is_not_its_answer() -> None:
    crossing = page(b"", b"Connection: close\r\n", b"408 Request Timeout")
    talk = Conversations([ONE, crossing], [TWO])
    assert bodies(talk) == [b"one", b"two"]


def test_a_408_on_a_new_connection_is_the_answer() -> None:
    talk = Conversations([page(b"", b"Connection: close\r\n", b"408 Request Timeout")])
    with serving(talk, read=False) as server, client() as own:
        assert own.get(server.url).status == 408


@each_row("end", [closed, hung_up])
def test_a_request_that_meets_a_closing_connection_is_sent_once_more(
    end: Callable[[socket.socket], None],
) -> None:
    """The server closes when the request arrives: nobody can know before."""
    for method, body in (("GET", None), ("PUT", b"x" * 100), ("PUT", [b"x"]), ("DELETE", None)):
        talk = Conversations([ONE, end], [TWO])
        with serving(talk, read=False) as server, client() as own:
            own.get(server.url)
            assert own.ask(Request(url=server.url, method=method, body=body)).body == b"two"


def test_a_reset_after_a_whole_answer_does_not_take_it_back() -> None:
    def answer(sock: socket.socket) -> None:
        sock.sendall(ONE)
        hung_up(sock)

    talk = Conversations([answer], [TWO])
    assert bodies(talk) == [b"one", b"two"]


def test_a_new_connection_that_is_closed_is_no_reason_for_another() -> None:
    talk = Conversations([ONE, closed], [closed], [TWO])
    with serving(talk, read=False) as server, client() as own:
        own.get(server.url)
        with pytest.raises(FetchError, match="closed without an answer"):
            own.get(server.url)
    assert talk.counts == [2, 1]


def test_an_answer_that_has_begun_is_not_asked_for_again() -> None:
    talk = Conversations([ONE, b"HTTP/1.1 200 OK\r\nX-"], [TWO])
    with serving(talk, read=False) as server, client() as own:
        own.get(server.url)
        with pytest.raises(BadResponse, match="ends too early"):
            own.get(server.url)


def test_silence_on_a_kept_connection_is_a_timeout() -> None:
    talk = Conversations([ONE, lambda _: None, lambda _: None], [TWO])
    with serving(talk, read=False) as server, client() as own:
        own.get(server.url)
        with pytest.raises(FetchError) as failed:
            own.ask(Request(url=server.url, pause=0.05))
    assert failed.value.failure == FetchFailure.READ_TIMEOUT


@each_row(
    ("method", "body"), [("POST", b"x"), ("PATCH", b"x"), ("POST", None), ("PUT", iter([b"x"]))]
)
def test_a_request_that_must_not_be_sent_twice_gets_a_connection_of_its_own(
    method: str, body: bytes | None
) -> None:
    talk = Conversations([ONE], [ONE, TWO])
    with serving(talk, read=False) as server, client() as own:
        own.get(server.url)
        own.ask(Request(url=server.url, method=method, body=body))
        own.get(server.url)
    assert talk.counts == [1, 2]


def test_a_body_that_is_too_large_or_broken_ends_its_connection() -> None:
    large = page(b"x" * 100_000)
    for broken, error in (
        (large, TooLarge),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", BadResponse),
        (page(b"no gzip", b"Content-Encoding: gzip\r\n"), BadResponse),
    ):
        talk = Conversations([broken], [TWO])
        with serving(talk, read=False) as server, client(max_html_bytes=10_000) as own:
            with pytest.raises(error):
                own.get(server.url)
            assert own.get(server.url).body == b"two"


def test_a_short_body_that_nobody_wants_is_read_so_that_its_connection_stays() -> None:
    for size, connections in ((0, 1), (60_000, 1), (70_000, 2)):
        talk = Conversations([page(b"x" * size, b"", b"404 Not Found"), TWO], [TWO])
        assert bodies(talk)[1] == b"two"
        assert len(talk.counts) == connections


def test_a_redirect_is_followed_on_the_same_connection() -> None:
    moved = page(b"<a href='/b'>moved</a>", b"Location: /b\r\n", b"302 Found")
    talk = Conversations([moved, TWO])
    assert bodies(talk, 1) == [b"two"]
    assert talk.counts == [2]


def test_connections_with_tls_are_kept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tls = TLSServer(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tls.certificate))

    def second(sock: socket.socket) -> None:
        sock.sendall(ONE)
        assert read_request(sock)
        sock.sendall(TWO)

    with (
        serving(tls.talk(second), read=False) as server,
        client(resolve=[f"*.test=127.0.0.1:{server.port}"]) as own,
    ):
        assert own.get("https://news.test/").body == b"one"
        assert own.get("https://news.test/").body == b"two"
    assert tls.names == ["news.test"]


def test_a_proxy_s_connection_is_kept_for_one_origin() -> None:
    talk = Conversations([ONE, TWO], [ONE])
    with serving(talk, read=False) as proxy, client(proxy=proxy.url) as own:
        for host in ("a", "a", "b"):
            own.get(f"http://{host}.test/")
    assert talk.counts == [2, 1]
