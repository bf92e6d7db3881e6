"""The web server of metrics."""

import socket
from collections.abc import Iterator

import pytest
import requests

from indexer.metrics.endpoint import MOST, MOST_OF_CLIENT, Endpoint
from indexer.metrics.endpoint import PATIENCE as LONGEST
from indexer.system.listening import ListenAddress
from indexer.system.readiness import working
from tests.clock import Clock
from tests.each_row import each_row
from tests.loopback import no_ipv6
from tests.patience import PATIENCE

HALF = b"GET /metrics HTTP/1.1\r\nHost: x\r\n"


def page(accept: str) -> tuple[str, bytes]:
    """A page of metrics that is larger than the buffers of sockets."""
    return "text/plain", b"x" * 20_000_000


@pytest.fixture
def endpoint(clock: Clock) -> Iterator[Endpoint]:
    """A server with a clock of the test."""
    with Endpoint(page, ListenAddress("127.0.0.1", 0), clock) as endpoint:
        yield endpoint


@pytest.fixture
def url(endpoint: Endpoint) -> str:
    """The URL of the server."""
    return f"http://{endpoint.place}"


def connected(endpoint: Endpoint, address: str = "127.0.0.1") -> socket.socket:
    """A client's connection."""
    return socket.create_connection(("127.0.0.1", endpoint.place.port), PATIENCE, (address, 0))


@pytest.mark.parametrize(
    ("path", "status", "text"),
    [
        ("/healthz", 200, "ok\n"),
        ("/readyz", 503, "not ready\n"),
        ("/", 404, "see /metrics\n"),
    ],
)
def test_there_are_checks_and_no_other_page(url: str, path: str, status: int, text: str) -> None:
    answer = requests.get(url + path, timeout=PATIENCE)
    assert (answer.status_code, answer.text) == (status, text)


def test_a_program_is_ready_while_it_works(url: str) -> None:
    with working():
        assert requests.get(f"{url}/readyz", timeout=PATIENCE).text == "ready\n"


def test_silent_and_invalid_clients_do_not_block_others(url: str) -> None:
    host, port = url.removeprefix("http://").split(":")
    with (
        socket.create_connection((host, int(port))),
        socket.create_connection((host, int(port))) as rude,
    ):
        rude.sendall(b"\x00\xff NONSENSE\r\n\r\n")
        assert requests.get(f"{url}/healthz", timeout=PATIENCE).ok


@each_row("request", [b"", HALF, HALF + b"\r\n"])
def test_a_connection_is_closed_when_its_time_is_over(
    endpoint: Endpoint, clock: Clock, request: bytes
) -> None:
    with connected(endpoint) as client:
        client.sendall(request)
        # The answer has begun, but this client does not read it.
        begun = client.recv(9) if request.endswith(b"\r\n\r\n") else b""
        assert requests.get(f"http://{endpoint.place}/healthz", timeout=PATIENCE).ok
        clock.sleep(LONGEST + 1)
        endpoint.service_actions()
        rest = client.makefile("rb").read()
        assert len(begun + rest) < 20_000_000


@pytest.mark.parametrize(("clients", "most"), [(1, MOST_OF_CLIENT), (10, MOST)])
def test_the_oldest_connection_makes_room(endpoint: Endpoint, clients: int, most: int) -> None:
    halves = [connected(endpoint, f"127.0.0.{2 + number % clients}") for number in range(most + 1)]
    for half in halves[1:]:
        half.sendall(HALF)
    assert halves[0].recv(1) == b""
    assert requests.get(f"http://{endpoint.place}/healthz", timeout=PATIENCE).text == "ok\n"
    for half in halves:
        half.close()


@no_ipv6
def test_every_address_is_of_both_kinds_of_networks() -> None:
    with Endpoint(page, ListenAddress.parse(":0")) as endpoint:
        port = endpoint.place.port
        for host in ("127.0.0.1", "[::1]"):
            assert requests.get(f"http://{host}:{port}/healthz", timeout=PATIENCE).ok
