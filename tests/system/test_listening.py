"""Where servers listen."""

import socket

import pytest

from indexer.errors import ConfigurationError
from indexer.system.listening import ListenAddress, client_of, listen
from tests.each_row import each_row
from tests.loopback import no_ipv6


@each_row(
    ("text", "place"),
    [
        ("127.0.0.1:9100", ListenAddress("127.0.0.1", 9100)),
        ("localhost:0", ListenAddress("localhost", 0)),
        (":9100", ListenAddress("", 9100)),
        ("9100", ListenAddress("", 9100)),
        ("[::1]:9100", ListenAddress("::1", 9100)),
        (" :9100 ", ListenAddress("", 9100)),
    ],
)
def test_an_address_is_a_host_and_a_port(text: str, place: ListenAddress) -> None:
    assert ListenAddress.parse(text) == place


@each_row(
    "text", ["", "localhost", "host:", "host:http", "host:-1", "host:65536", "::1:9100", "h:9²"]
)
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError):
        ListenAddress.parse(text)


@pytest.mark.parametrize(
    "place", [ListenAddress("127.0.0.1", 80), ListenAddress("", 80), ListenAddress("::1", 80)]
)
def test_a_place_is_shown_as_it_is_written(place: ListenAddress) -> None:
    assert ListenAddress.parse(str(place)) == place


@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
@pytest.mark.parametrize("host", ["127.0.0.1", pytest.param("::1", marks=no_ipv6), ""])
def test_a_place_that_is_taken_is_refused(host: str, kind: socket.SocketKind) -> None:
    with listen(ListenAddress(host, 0), kind) as first:
        taken = ListenAddress(host, first.getsockname()[1])
        with pytest.raises(ConfigurationError, match="can't listen at"):
            listen(taken, kind)


@pytest.mark.parametrize("host", ["no-such-host.invalid", "192.0.2.1", "a" * 70 + ".example"])
def test_a_place_that_is_not_here_is_refused(host: str) -> None:
    with pytest.raises(ConfigurationError, match="can't listen at"):
        listen(ListenAddress(host, 0), socket.SOCK_STREAM)


@each_row(
    ("host", "client"),
    [
        ("192.0.2.1", "192.0.2.1"),
        # A socket for both kinds of networks shows IPv4 addresses in this form.
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:2", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("a name", "a name"),
    ],
)
def test_a_client_is_an_ipv4_address_or_an_ipv6_network(host: str, client: str) -> None:
    assert client_of(host) == client
