"""Datagrams are sent at once, or are lost: nobody waits for them."""

import socket
import threading
from collections.abc import Callable, Iterator

import pytest

from indexer.system.datagrams import KEPT, Address, Datagrams, resolve
from tests.loopback import LOOPBACKS
from tests.patience import PATIENCE


@pytest.fixture
def server() -> Iterator[socket.socket]:
    """What receives them."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.bind(("127.0.0.1", 0))
        made.settimeout(PATIENCE)
        yield made


def here(server: socket.socket) -> Address:
    """Its address."""
    return Address(socket.AF_INET, server.getsockname())


class Names:
    """Name resolution as a test wants it: answers one after the other, when they are let out."""

    def __init__(self, *answers: Address | None) -> None:
        self._answers = list(answers)
        self.asked = threading.Semaphore(0)
        self.let = threading.Event()

    def __call__(self, host: str, port: int, flags: int = 0) -> Address | None:
        if flags:
            return None  # a name is no numeric address
        self.asked.release()
        self.let.wait(PATIENCE)
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


Start = Callable[[Names], Datagrams]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Start:
    """Starts sending to a host whose name is resolved as a test wants it."""

    def begin(names: Names) -> Datagrams:
        monkeypatch.setattr("indexer.system.datagrams.resolve", names)
        return Datagrams("statsd", 1)

    return begin


@pytest.mark.parametrize(("family", "host"), LOOPBACKS)
def test_an_address_of_either_kind_needs_no_look_up(
    family: int, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(self: Datagrams) -> None:
        raise AssertionError

    monkeypatch.setattr(Datagrams, "_follow", never)
    with socket.socket(family, socket.SOCK_DGRAM) as server:
        server.bind((host, 0))
        server.settimeout(PATIENCE)
        wire = Datagrams(host, server.getsockname()[1])
        wire.send(b"hello")
        assert server.recv(100) == b"hello"
        wire.close()


def test_a_slow_look_up_delays_nobody_and_what_was_sent_meanwhile_arrives(
    server: socket.socket, start: Start
) -> None:
    names = Names(here(server))
    wire = start(names)
    names.asked.acquire()
    wire.send(b"early")
    names.let.set()
    assert server.recv(100) == b"early"
    wire.send(b"late")
    assert server.recv(100) == b"late"
    wire.close()


def test_a_host_that_nobody_knows_is_looked_up_again(
    server: socket.socket, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.system.datagrams.AGAIN_SECONDS", 0.01)
    names = Names(None, None, here(server))
    names.let.set()
    wire = start(names)
    wire.send(b"early")
    assert server.recv(100) == b"early"
    wire.close()


def test_a_host_that_moves_is_found_and_one_that_is_unknown_for_a_while_is_kept(
    server: socket.socket, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.system.datagrams.FRESH_SECONDS", 0.01)
    monkeypatch.setattr("indexer.system.datagrams.AGAIN_SECONDS", 0.01)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as moved:
        moved.bind(("127.0.0.1", 0))
        moved.settimeout(PATIENCE)
        names = Names(here(server), None, here(moved))
        names.let.set()
        wire = start(names)
        for _ in range(4):
            names.asked.acquire(timeout=PATIENCE)
        wire.send(b"hello")
        assert moved.recv(100) == b"hello"
        wire.close()


def test_what_waits_for_an_address_is_bounded(server: socket.socket, start: Start) -> None:
    names = Names(here(server))
    wire = start(names)
    for number in range(KEPT + 5):
        wire.send(str(number).encode())
    names.let.set()
    assert server.recv(100) == b"5"
    wire.close()


def test_closing_waits_a_little_for_the_first_address(
    server: socket.socket, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.system.datagrams.CLOSING_SECONDS", PATIENCE)
    names = Names(here(server))
    wire = start(names)
    names.asked.acquire()
    wire.send(b"last words")
    threading.Timer(0.05, names.let.set).start()
    wire.close()
    assert server.recv(100) == b"last words"


def test_a_host_that_nobody_knows_does_not_hold_up_the_end(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.system.datagrams.CLOSING_SECONDS", 0.01)
    names = Names(None)
    names.let.set()
    wire = start(names)
    wire.send(b"lost")
    wire.close()
    wire.send(b"lost too")


@pytest.mark.parametrize("datagram", [b"", b"x" * 70_000])
def test_nothing_that_is_sent_raises(datagram: bytes) -> None:
    wire = Datagrams("127.0.0.1", 9)
    wire.send(datagram)
    wire.send(datagram)
    wire.close()
    wire.send(datagram)


def test_ipv4_comes_first_as_listeners_of_old_know_nothing_else() -> None:
    found = resolve("localhost", 8125)
    assert found is not None
    assert (found.family, found.address[0]) == (socket.AF_INET, "127.0.0.1")


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a" * 70 + ".example", "."])
def test_a_name_that_means_nothing_has_no_address(host: str) -> None:
    assert resolve(host, 8125) is None
