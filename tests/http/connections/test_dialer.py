"""Tests of connections: they lead to the checked address and to no other."""

import socket
from collections.abc import Sequence
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from indexer.errors import AddressRefused, ConfigurationError, FetchError
from indexer.http.connections import dialer
from indexer.http.connections.bounded import Allowance, BoundedSocket
from indexer.http.connections.dialer import Dialer, Names
from indexer.http.fetching import FetchOptions
from indexer.http.fetching.client import Client
from indexer.http.urls.addresses import AddressPolicy
from indexer.http.urls.target import Target
from tests.clock import Clock
from tests.each_row import each_row
from tests.http.fetching.clients import client
from tests.http.fetching.raw import Conversations, serving

LOOPBACK = AddressPolicy(["127.0.0.0/8"])
TARGET = Target.parse("http://news.test:8000/")


class DNS:
    """A name server that gives its answers one after the other, and repeats the last one."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.asked: list[str] = []
        self._answers = list(answers)

    def __call__(self, host: str, port: int, **_: Any) -> list[tuple[int, int, int, str, Any]]:
        self.asked.append(host)
        addresses = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return [self._entry(address, port) for address in addresses]

    @staticmethod
    def _entry(address: str, port: int) -> tuple[int, int, int, str, Any]:
        if ":" in address:
            return socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, port, 0, 0)
        return socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)


def dialer_of(look_up: Any, policy: AddressPolicy = LOOPBACK) -> Dialer:
    return Dialer(policy, names=Names(look_up=look_up))


def dialed(dialer: Dialer, target: Target) -> BoundedSocket:
    return dialer.dial(target, dialer.places(target), Allowance(5, 5))


def refused(dns: DNS, policy: AddressPolicy = LOOPBACK) -> str:
    with pytest.raises(AddressRefused) as error:
        dialer_of(dns, policy).places(TARGET)
    return str(error.value)


@each_row(
    ("address", "why"),
    [
        ("10.0.0.1", "news.test (10.0.0.1) refused (private)"),
        ("169.254.169.254", "news.test (169.254.169.254) refused (cloud metadata)"),
        ("::ffff:10.0.0.1", "news.test (::ffff:10.0.0.1) refused (private)"),
        ("fe80::1%lo", "news.test (fe80::1%lo) refused (link-local)"),
        ("64:ff9b::a00:1", "news.test (64:ff9b::a00:1) refused (private)"),
    ],
)
def test_a_name_of_a_private_address_is_refused(address: str, why: str) -> None:
    assert refused(DNS([address])) == why


def test_of_mixed_answers_only_allowed_ones_are_connected_to(httpserver: HTTPServer) -> None:
    dns = DNS(["10.0.0.1", "169.254.169.254", "127.0.0.1"])
    target = Target.parse(f"http://news.test:{httpserver.port}/")

    with dialed(dialer_of(dns), target) as sock:
        assert sock.getpeername() == ("127.0.0.1", httpserver.port)


def test_a_name_is_resolved_once_so_no_second_answer_counts(
    httpserver: HTTPServer, clock: Clock
) -> None:
    httpserver.expect_request("/").respond_with_data("page")
    dns = DNS(["127.0.0.1"], ["10.0.0.1"])
    options = FetchOptions(allow_address=["127.0.0.0/8"], dns_seconds=60.0)
    rebound = Client(options, clock, look_up=dns)

    for _ in range(2):
        assert rebound.get(f"http://news.test:{httpserver.port}/").body == b"page"
    assert dns.asked == ["news.test"]
    clock.sleep(60.0)
    with pytest.raises(AddressRefused):
        rebound.get(f"http://news.test:{httpserver.port}/")


def test_a_kept_connection_is_left_when_its_name_has_another_address(clock: Clock) -> None:
    page = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage"
    dns = DNS(["127.0.0.1"], ["127.0.0.1"], ["127.0.0.2"])
    options = FetchOptions(allow_address=["127.0.0.0/8"], dns_seconds=1.0, keep_seconds=60.0)
    talk = Conversations([page, page], [page])
    with serving(talk, read=False) as server, Client(options, clock, look_up=dns) as dated:
        url = f"http://news.test:{server.port}/"
        for _ in range(2):
            dated.get(url)
            clock.sleep(1.0)
        with pytest.raises(FetchError, match="refused"):
            dated.get(url)  # nothing listens on 127.0.0.2

    assert talk.counts == [2]


def test_the_next_address_is_tried_when_one_does_not_answer(httpserver: HTTPServer) -> None:
    dns = DNS(["::1", "127.0.0.99", "127.0.0.1"])
    target = Target.parse(f"http://news.test:{httpserver.port}/")
    policy = AddressPolicy(["127.0.0.0/8", "::1"])

    with dialed(dialer_of(dns, policy), target) as sock:
        assert sock.getpeername()[0] == "127.0.0.1"


def test_a_look_up_without_an_address_is_an_error_with_a_reason() -> None:
    def unknown(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    for look_up, why in [
        (unknown, "news.test: no such host"),
        (DNS([]), "no connection to news.test: no address"),
        (DNS(["127.0.0.1"]), "no connection to news.test: connection refused"),
    ]:
        with pytest.raises(FetchError) as error:
            dialed(dialer_of(look_up), Target.parse("http://news.test:1/"))
        assert str(error.value) == why
        assert error.value.status == "noconn"


RESOLVED = [
    (["news.test=127.0.0.1"], "http://news.test:{port}/"),
    (["NEWS.test=127.0.0.1:{port}"], "http://news.test/"),
    (["*.test=127.0.0.1:{port}"], "http://a.b.test/"),
    (["*.test=10.0.0.1", "*.b.test=127.0.0.1:{port}"], "http://a.b.test/"),
    (["*.test=10.0.0.1", "a.test=127.0.0.1:{port}"], "http://a.test./"),
]


@pytest.mark.parametrize(("resolve", "url"), RESOLVED)
def test_an_operator_may_set_the_address_of_a_name(
    httpserver: HTTPServer, resolve: list[str], url: str
) -> None:
    httpserver.expect_request("/").respond_with_data("page")
    told = [entry.format(port=httpserver.port) for entry in resolve]

    response = client(resolve=told).get(url.format(port=httpserver.port))

    host = httpserver.log[0][0].headers["Host"]
    assert response.body == b"page"
    assert host.partition(":")[0] == url.split("/")[2].partition(":")[0].rstrip(".")


def test_an_address_that_an_operator_sets_is_checked_too() -> None:
    resolving = Client(FetchOptions(resolve=["news.test=127.0.0.1"]))

    with pytest.raises(AddressRefused, match="loopback"):
        resolving.get("http://news.test/")


def test_a_wildcard_does_not_match_its_own_suffix(httpserver: HTTPServer) -> None:
    with pytest.raises(FetchError, match="no such host"):
        client(resolve=[f"*.news.test=127.0.0.1:{httpserver.port}"]).get("http://news.test/")


@each_row(
    "entry",
    ["", "a", "a=", "=127.0.0.1", "a=b.test", "a=127.0.0.1:", "a=127.0.0.1:0", "a=127.0.0.1:x",
     "a=[::1]:99999", "a=1.2.3.4.5"],
)  # fmt: skip
def test_an_invalid_resolve_entry_is_a_configuration_error(entry: str) -> None:
    with pytest.raises(ConfigurationError, match="HOST=ADDRESS"):
        Client(FetchOptions(resolve=[entry]))


def test_ipv6_addresses_are_read_with_and_without_a_port() -> None:
    Client(FetchOptions(resolve=["a=::1", "b=[::1]", "c=[::1]:8080"]))


def test_answers_of_the_name_server_are_kept_for_their_time_only(clock: Clock) -> None:
    dns = DNS(["127.0.0.1"], ["127.0.0.2"])
    names = Names(60.0, dns, clock)
    for seconds, address in ((59.9, "127.0.0.1"), (0.1, "127.0.0.1"), (0.0, "127.0.0.2")):
        assert names.places("a.test", 80)[0][1] == (address, 80)
        clock.sleep(seconds)
    assert dns.asked == ["a.test", "a.test"]
    assert names.places("a.test", 443)[0][1] == ("127.0.0.2", 443)


def test_at_most_so_many_names_are_kept(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialer, "_MAX_NAMES", 2)
    dns = DNS(["127.0.0.1"])
    names = Names(60.0, dns, clock)
    for host in ("a", "b", "c", "c", "b", "a"):
        names.places(host, 80)
    assert dns.asked == ["a", "b", "c", "a"]


def test_a_failed_look_up_is_not_kept(clock: Clock) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        asked.append(1)
        raise socket.gaierror(socket.EAI_AGAIN, "later")

    asked: list[int] = []
    names = Names(60.0, fails, clock)
    for _ in range(2):
        with pytest.raises(OSError, match="later"):
            names.places("a", 80)
    assert len(asked) == 2


def test_each_connection_checks_the_kept_addresses(clock: Clock) -> None:
    """Names are shared by all dialers of a client, and each dialer has a policy of its own."""
    names = Names(60.0, DNS(["127.0.0.1"]), clock)
    Dialer(LOOPBACK, names=names).places(TARGET)
    with pytest.raises(AddressRefused):
        Dialer(AddressPolicy(), names=names).places(TARGET)
