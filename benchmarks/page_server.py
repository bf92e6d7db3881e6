"""A server of pages in a process of its own, so that its CPU time is not counted.

    python -m benchmarks.page_server FOLDER     prints two ports, of HTTP and of HTTPS

Each request is answered with the page whose number is the last part of the path, compressed where
the client accepts gzip. Connections stay open.
"""

import datetime
import gzip
import re
import socket
import ssl
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from benchmarks.server_process import ServerProcess

HOST = "127.0.0.1"
"""The host of the URLs, in the certificate, too: none of the clients looks a name up."""

CERTIFICATE = "certificate.pem"

_REQUEST = re.compile(rb"GET [^ ]*?/(\d+) HTTP/1\.1\r\n", re.ASCII)
_HEAD = """HTTP/1.1 200 OK\r
Server: nginx\r
Date: Mon, 06 Jan 2025 08:00:00 GMT\r
Content-Type: text/html; charset=utf-8\r
Content-Length: {}\r
Connection: keep-alive\r
Vary: Accept-Encoding\r
Cache-Control: max-age=60\r
Strict-Transport-Security: max-age=31536000\r
X-Content-Type-Options: nosniff\r
"""


class PageServer(ServerProcess):
    """Serves pages while its block runs; `ports` are those of HTTP and of HTTPS."""

    def __init__(self, pages: Sequence[bytes]) -> None:
        self._pages = pages
        self._folder = tempfile.TemporaryDirectory()
        super().__init__("benchmarks.page_server", self._folder.name)

    @property
    def certificate(self) -> Path:
        """The file that a client has to trust."""
        return Path(self._folder.name, CERTIFICATE)

    def url(self, scheme: str) -> str:
        """The URL of the server, http or https."""
        return f"{scheme}://{HOST}:{self.ports[scheme == 'https']}"

    def __enter__(self) -> Self:
        self.certificate.write_bytes(_certificate())
        for number, page in enumerate(self._pages):
            Path(self._folder.name, str(number)).write_bytes(page)
        return super().__enter__()

    def close(self) -> None:
        """Stop the server, and delete its files."""
        super().close()
        self._folder.cleanup()


def _certificate() -> bytes:
    """A key and a certificate of its own, for a day, in PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now, day = datetime.datetime.now(datetime.UTC), datetime.timedelta(days=1)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    dated = builder.not_valid_before(now - day).not_valid_after(now + day)
    named = dated.add_extension(
        x509.SubjectAlternativeName([x509.IPAddress(ip_address(HOST))]), critical=False
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    signed = named.sign(key, hashes.SHA256())
    return private + signed.public_bytes(serialization.Encoding.PEM)


class _Server:
    """Answers connections, each in a thread."""

    def __init__(self, folder: Path) -> None:
        paths = sorted((each for each in folder.iterdir() if each.name.isdigit()), key=_number)
        pages = [path.read_bytes() for path in paths]
        self._plain = [_answer(page, "") for page in pages]
        self._packed = [
            _answer(gzip.compress(page, 6), "Content-Encoding: gzip\r\n") for page in pages
        ]
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(folder / CERTIFICATE)

    def listen(self, *, secure: bool) -> int:
        """Answer on a port, which is returned."""
        listening = socket.create_server(("127.0.0.1", 0), backlog=256)
        threading.Thread(target=self._accept, args=(listening, secure), daemon=True).start()
        return int(listening.getsockname()[1])

    def _accept(self, listening: socket.socket, secure: bool) -> None:
        while True:
            connection, _ = listening.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._talk, args=(connection, secure), daemon=True).start()

    def _talk(self, connection: socket.socket, secure: bool) -> None:
        # Clients close connections whenever they like.
        with suppress(OSError):
            if secure:
                connection = self._context.wrap_socket(connection, server_side=True)
            with connection:
                while request := connection.recv(65_536):
                    found = _REQUEST.match(request)
                    answers = self._packed if b"gzip" in request else self._plain
                    number = int(found[1]) if found else 0
                    connection.sendall(answers[number % len(answers)])


def _number(path: Path) -> int:
    return int(path.name)


def _answer(body: bytes, header: str) -> bytes:
    return f"{_HEAD.format(len(body))}{header}\r\n".encode() + body


def main() -> None:
    """Print the ports, and serve until the program that started this one closes the pipe."""
    server = _Server(Path(sys.argv[1]))
    print(server.listen(secure=False), server.listen(secure=True), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
