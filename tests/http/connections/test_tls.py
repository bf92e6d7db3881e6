"""Tests of TLS: certificates are checked for the name in the URL."""

import datetime
import socket
import ssl
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from indexer.errors import FetchError
from indexer.http.connections import tls
from tests.clock import Clock
from tests.each_row import each_row
from tests.http.fetching.clients import client
from tests.http.fetching.raw import Talk, drip, flood, serving

NOW = datetime.datetime.now(datetime.UTC)
DAY = datetime.timedelta(days=1)
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage"


class TLSServer:
    """A TLS server with a self-signed certificate."""

    def __init__(
        self,
        directory: Path,
        *,
        name: str = "news.test",
        expired: bool = False,
        newest: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3,
    ) -> None:
        self.certificate = directory / f"{name}-{expired}.pem"
        self.certificate.write_bytes(_certificate(name, NOW - DAY if expired else NOW + DAY))
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(self.certificate)
        self._context.maximum_version = newest
        self.names: list[str | None] = []
        self.resumed: list[bool | None] = []
        self._context.sni_callback = lambda _, name, __: self.names.append(name)

    def talk(self, say: bytes | Talk) -> Talk:
        def talk(sock: socket.socket) -> None:
            with self._context.wrap_socket(sock, server_side=True) as secured:
                self.resumed.append(secured.session_reused)
                secured.recv(65_536)
                say(secured) if callable(say) else secured.sendall(say)

        return talk


@pytest.fixture
def trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TLSServer:
    """A server with a certificate that this machine trusts."""
    server = TLSServer(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(server.certificate))
    return server


def get(server: TLSServer, say: bytes | Talk = OK, **options: Any) -> bytes:
    with serving(server.talk(say), read=False) as running:
        told = client(resolve=[f"*.test=127.0.0.1:{running.port}"], **options)
        return told.get("https://news.test/").body


def test_a_page_comes_over_tls_for_the_name_that_was_asked(trusted: TLSServer) -> None:
    assert get(trusted) == b"page"
    assert trusted.names == ["news.test"]


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="TLS: self-signed certificate") as failed:
        get(TLSServer(tmp_path))
    assert failed.value.status == "noconn"


def test_an_expired_certificate_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = TLSServer(tmp_path, expired=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(server.certificate))

    with pytest.raises(FetchError, match="TLS: certificate has expired"):
        get(server)


def test_a_certificate_for_another_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = TLSServer(tmp_path, name="other.test")
    monkeypatch.setenv("SSL_CERT_FILE", str(server.certificate))

    with pytest.raises(FetchError, match=r"TLS: .*not valid for 'news\.test'"):
        get(server)


def test_an_operator_may_disable_the_check_of_certificates(tmp_path: Path) -> None:
    assert get(TLSServer(tmp_path, name="other.test", expired=True), insecure=True) == b"page"


def test_a_server_without_tls_is_an_error_with_a_reason() -> None:
    plain = b"HTTP/1.1 400 Bad Request\r\n\r\n"
    with serving(plain) as server, pytest.raises(FetchError, match="TLS: "):
        client().get(server.url.replace("http:", "https:"))


def test_a_slow_drip_over_tls_ends_at_the_deadline(trusted: TLSServer) -> None:
    with pytest.raises(FetchError, match=r"not done in 0.3 s"):
        get(trusted, drip(b"HTTP/1.1 200 OK\r\n\r\n", b"x"), total_timeout=0.3)


def test_a_flood_over_tls_ends_at_the_limit(trusted: TLSServer) -> None:
    with pytest.raises(FetchError, match=r"larger than|more bytes"):
        get(trusted, flood(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 9999), max_encoded_bytes=100_000)


def visit(server: TLSServer, *urls: str | float, clock: Clock, **options: Any) -> None:
    """Visit URLs one after the other, each over a new connection; a number is a pause."""
    told = {"resolve": [], "keep_connections": 0} | options
    with serving(server.talk(OK), read=False) as running:
        told["resolve"] = [f"*.test=127.0.0.1:{running.port}"]
        with client(clock, **told) as own:
            for url in urls:
                if isinstance(url, str):
                    assert own.get(url).body == b"page"
                else:
                    clock.sleep(url)


NEWS = "https://news.test/"


@each_row("newest", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_new_connection_to_the_same_server_resumes_the_session(
    newest: ssl.TLSVersion, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = TLSServer(tmp_path, newest=newest)
    monkeypatch.setenv("SSL_CERT_FILE", str(server.certificate))
    visit(server, NEWS, NEWS, NEWS, clock=clock)
    assert server.resumed == [False, True, True]


def test_a_session_is_only_for_its_own_scheme_host_and_port(
    trusted: TLSServer, clock: Clock
) -> None:
    urls = (NEWS, "https://other.test/", "https://news.test:8443/", NEWS)
    visit(trusted, *urls, clock=clock, insecure=True)
    assert trusted.resumed == [False, False, False, True]


def test_a_certificate_is_checked_again_after_an_hour_however_often_sessions_were_resumed(
    trusted: TLSServer, clock: Clock
) -> None:
    visit(trusted, NEWS, 2000.0, NEWS, 1599.0, NEWS, 1.0, NEWS, NEWS, clock=clock)
    assert trusted.resumed == [False, True, True, False, True]


def test_the_number_of_sessions_is_limited(
    trusted: TLSServer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tls, "MAX_SESSIONS", 1)
    visit(trusted, NEWS, "https://other.test/", NEWS, NEWS, clock=clock, insecure=True)
    assert trusted.resumed == [False, False, False, True]


def _certificate(name: str, until: datetime.datetime) -> bytes:
    """Key and certificate in PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - 2 * DAY)
        .not_valid_after(until)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM)
