"""A fake of Docker's API on a UNIX socket, with the paths that docker-stats uses."""

import json
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit


class FakeDocker(socketserver.ThreadingUnixStreamServer):
    """Answers `/version` and `/services`; `asked` has the parameters of each request."""

    # Closing the server waits for the threads of its connections.
    daemon_threads = False

    def __init__(self, path: Path, services: Any, status: int, version: str) -> None:
        self.services = services
        self.status = status
        self.version = version
        self.asked: list[dict[str, list[str]]] = []
        super().__init__(str(path), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: FakeDocker

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path.endswith("/version"):
            self._answer(200, {"ApiVersion": self.server.version})
        else:
            self.server.asked.append(parse_qs(parts.query))
            self._answer(self.server.status, self.server.services)

    def _answer(self, status: int, answer: Any) -> None:
        body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self) -> str:
        """Clients of UNIX sockets have no address."""
        return "local"

    def log_message(self, format: str, *values: object) -> None:
        """Do not log requests."""


@contextmanager
def docker(
    folder: Path, services: Any, status: int = 200, version: str = "1.47"
) -> Iterator[FakeDocker]:
    """Run a fake Docker with these services; its socket is `docker.sock` in the folder."""
    with FakeDocker(folder / "docker.sock", services, status, version) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
