"""Tests of the operator's proxy."""

import socket
from pathlib import Path

import pytest
from pydantic import SecretStr

from indexer.errors import AddressRefused, ConfigurationError, FetchError
from indexer.http.connections.failures import FetchFailure
from indexer.http.fetching import FetchOptions, Request
from indexer.http.fetching.client import Client
from indexer.warc.exchanges import WireExchange
from tests.each_row import each_row
from tests.http.connections.test_tls import TLSServer
from tests.http.fetching.clients import client
from tests.http.fetching.raw import Talk, serving


def through(proxy: str) -> Client:
    """A client that uses a proxy."""
    return Client(FetchOptions(proxy=SecretStr(proxy)))


PAGE = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage"


def test_a_page_comes_through_a_proxy() -> None:
    with serving(PAGE) as proxy:
        named = proxy.url.replace("//", "//user:p%40ss@")
        response = through(named).get("http://news.test/a?b")

    head = proxy.requests[0].split(b"\r\n")
    assert (response.body, response.url) == (b"page", "http://news.test/a?b")
    assert head[0] == b"GET http://news.test/a?b HTTP/1.1"
    assert b"Host: news.test" in head
    assert b"Proxy-Authorization: Basic dXNlcjpwQHNz" in head


def tunnel(server: TLSServer, heard: list[bytes]) -> Talk:
    """A proxy with a tunnel, whose other end is the proxy itself."""

    def talk(sock: socket.socket) -> None:
        heard.append(sock.recv(65_536))
        sock.sendall(b"HTTP/1.1 200 Established\r\n\r\n")
        server.talk(PAGE)(sock)

    return talk


def test_tls_goes_through_a_tunnel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server, heard = TLSServer(tmp_path), list[bytes]()
    monkeypatch.setenv("SSL_CERT_FILE", str(server.certificate))
    with serving(tunnel(server, heard), read=False) as proxy:
        named = proxy.url.replace("//", "//user:pass@")
        assert through(named).get("https://news.test/").body == b"page"

    assert heard[0].startswith(b"CONNECT news.test:443 HTTP/1.")
    assert b"Proxy-Authorization: Basic dXNlcjpwYXNz" in heard[0]
    assert server.names == ["news.test"]


@pytest.mark.parametrize("url", ["http://news.test/", "https://news.test/"])
def test_a_proxy_that_can_not_be_reached_is_its_own_failure(url: str) -> None:
    with pytest.raises(FetchError, match="the proxy: no connection") as failed:
        through("http://127.0.0.1:1").get(url)
    assert failed.value.failure == FetchFailure.PROXY


def test_a_proxy_that_refuses_a_tunnel_is_a_proxy_failure() -> None:
    refusal = b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"
    with serving(refusal) as proxy, pytest.raises(FetchError) as failed:
        through(proxy.url).get("https://news.test/")
    assert failed.value.failure == FetchFailure.PROXY
    assert "407" in str(failed.value)


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "https://[::1]/", "http://0x7f.1/"])
def test_addresses_in_a_url_are_refused_with_a_proxy_too(url: str) -> None:
    with serving(PAGE) as proxy:
        with pytest.raises(AddressRefused):
            through(proxy.url).get(url)
        assert proxy.requests == []


def test_proxies_of_the_environment_are_used_only_on_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with serving(PAGE) as proxy, serving(PAGE) as site:
        monkeypatch.setenv("http_proxy", proxy.url)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        client().get(site.url)
        told = client(proxy="environment")
        told.get(site.url)
        assert (len(proxy.requests), len(site.requests)) == (0, 2)
        told.get("http://news.test/")
        assert len(proxy.requests) == 1


@each_row(
    "proxy", ["https://proxy.test", "socks5://proxy.test", "http://", "http://u:secret@a b/", "["]
)
def test_an_invalid_proxy_is_a_configuration_error(proxy: str) -> None:
    with pytest.raises(ConfigurationError, match="--proxy") as refused:
        through(proxy)
    assert "secret" not in str(refused.value)


def test_a_record_names_the_server_not_the_proxy() -> None:
    exchanges: list[WireExchange] = []
    with serving(PAGE) as proxy, through(proxy.url) as own:
        own.ask(Request(url="http://news.test/a", record=exchanges.append))
    assert [(each.url, each.address) for each in exchanges] == [("http://news.test/a", "")]
