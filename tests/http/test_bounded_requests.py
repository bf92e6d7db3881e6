"""Requests to servers of the operator's own: the environment that applies, and the limits.

Limits of time and bytes against hostile servers are tested with the client of an rss-fetcher.
"""

import base64
import gzip
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.errors import ConfigurationError, FetchError
from indexer.http.bounded_requests import AnswerLimits, get
from tests.each_row import each_row
from tests.http.connections.test_tls import TLSServer
from tests.http.fetching.raw import RawServer, flood, serving
from tests.patience import PATIENCE

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
NO = b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 2\r\n\r\nno"
LIMITS = AnswerLimits(connect=PATIENCE, read=PATIENCE, total=PATIENCE, max_bytes=1000)
USER = "Basic " + base64.b64encode(b"me:hunter2").decode()
VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "REQUESTS_CA_BUNDLE")


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment without proxies and CA bundles."""
    for name in (*VARIABLES, *map(str.lower, VARIABLES), "CURL_CA_BUNDLE", "SSL_CERT_FILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[RawServer]:
    """A proxy of the environment, which answers all requests itself."""
    with serving(OK) as raw:
        url = raw.url.replace("//", "//me:hunter2@")
        monkeypatch.setenv("HTTP_PROXY", url)
        monkeypatch.setenv("https_proxy", url)
        yield raw


def asked(url: str) -> bytes:
    """The body of an answer."""
    return get(url, {"Authorization": "Token x"}, LIMITS).body


def test_a_proxy_of_the_environment_is_used_with_its_user(proxy: RawServer) -> None:
    assert asked("http://192.0.2.1/a?b=c") == b"{}"
    head = proxy.requests[0].decode()
    assert head.startswith("GET http://192.0.2.1/a?b=c HTTP/1.1\r\n")
    assert f"Proxy-Authorization: {USER}\r\n" in head
    assert "Authorization: Token x\r\n" in head


def test_through_a_proxy_https_is_a_tunnel(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(NO) as proxy:
        monkeypatch.setenv("https_proxy", proxy.url.replace("//", "//me:hunter2@"))
        with pytest.raises(ConfigurationError, match=r"proxy refuses us \(407\)") as refused:
            asked("https://192.0.2.1/")
    assert "hunter2" not in str(refused.value)
    head = proxy.requests[0].decode()
    assert head.startswith("CONNECT 192.0.2.1:443 HTTP/1.")
    assert f"Proxy-Authorization: {USER}\r\n" in head
    assert "Token" not in head


def test_a_host_of_no_proxy_is_asked_directly(
    proxy: RawServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.http.bounded_requests._is_this_machine", lambda _: False)
    with serving(OK) as server:
        assert asked(server.url) == b"{}"
        assert len(proxy.requests) == 1
        monkeypatch.setenv("no_proxy", "127.0.0.1,other.example")
        assert asked(server.url) == b"{}"
    assert len(proxy.requests) == len(server.requests) == 1


@each_row("host", ["127.0.0.1", "localhost", "127.1", "inside.example", "[::ffff:127.0.0.1]"])
def test_no_proxy_leads_to_this_machine(host: str) -> None:
    look_up = socket.getaddrinfo
    with pytest.MonkeyPatch.context() as patched, serving(OK) as server:
        patched.setenv("HTTP_PROXY", "http://127.0.0.1:1")
        patched.setattr(
            socket,
            "getaddrinfo",
            lambda host, *rest, **more: look_up(
                "127.0.0.1" if "." in host and ":" not in host else host, *rest, **more
            ),
        )
        assert asked(f"http://{host}:{server.port}/") == b"{}"


@each_row(
    ("url", "kind", "why"),
    [
        ("http://me:hunter2@127.0.0.1:1", FetchError, "the proxy: no connection to 127.0.0.1"),
        ("http://me:hunter2@[bad", ConfigurationError, "have to be http://HOST:PORT"),
        ("ftp://me:hunter2@proxy.example", ConfigurationError, "have to be http://HOST:PORT"),
        ("socks5://me:hunter2@proxy.example", ConfigurationError, "have to be http://HOST:PORT"),
        ("http://", ConfigurationError, "have to be http://HOST:PORT"),
    ],
)
def test_a_useless_proxy_is_an_error_that_does_not_quote_it(
    url: str, kind: type[Exception], why: str
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("HTTP_PROXY", url)
        with pytest.raises(kind) as failed:
            asked("http://192.0.2.1/")
    assert why in str(failed.value)
    assert "hunter2" not in str(failed.value)


@each_row("variable", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"])
def test_a_ca_bundle_of_the_environment_is_trusted(variable: str, tmp_path: Path) -> None:
    tls = TLSServer(tmp_path, name="localhost")
    with pytest.MonkeyPatch.context() as patched, serving(tls.talk(OK), read=False) as raw:
        url = f"https://localhost:{raw.port}/"
        with pytest.raises(FetchError, match="TLS: self-signed certificate"):
            asked(url)
        patched.setenv(variable, str(tls.certificate))
        assert asked(url) == b"{}"


@each_row("variable", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
def test_a_ca_bundle_that_does_not_exist_is_named(variable: str, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(variable, str(tmp_path / "none.pem"))
        with pytest.raises(ConfigurationError, match=rf"{variable}.*none.pem"):
            asked("https://127.0.0.1:1/")


HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"


@each_row("interim", [HINTS, HINTS + b"HTTP/1.1 100 Continue\r\n\r\n" + HINTS])
def test_interim_answers_are_skipped(interim: bytes) -> None:
    with serving(interim + OK) as server:
        assert asked(server.url) == b"{}"
    with serving(flood(b"", interim)) as server, pytest.raises(FetchError, match="more bytes"):
        asked(server.url)


def test_interim_answers_of_a_proxy_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(HINTS + NO) as proxy:
        monkeypatch.setenv("https_proxy", proxy.url)
        with pytest.raises(ConfigurationError, match=r"proxy refuses us \(407\)"):
            asked("https://192.0.2.1/")


def test_the_body_of_a_redirect_is_bounded_too() -> None:
    bomb = gzip.compress(bytes(1_000_000))
    head = b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Encoding: gzip\r\n\r\n"
    with serving(head + bomb) as raw, pytest.raises(FetchError, match="larger than"):
        asked(raw.url)
    assert len(raw.requests) == 1
