"""An rss-fetcher on loopback, over real HTTP: answers as the real one does, or as a test says."""

import base64
import json
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

USER, PASSWORD = "reader", "hunter2"
AUTHORIZATION = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()

Row = dict[str, Any]


class Reply(NamedTuple):
    """An answer that a test wants."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = {}


class Request(NamedTuple):
    """What was asked for."""

    path: str
    first: int
    limit: int
    headers: Mapping[str, str]


def entry(number: int, **changed: Any) -> Row:
    """The row of an entry, as an rss-fetcher sends it."""
    site = f"site{number % 50}.example"
    return {
        "id": number,
        "url": f"https://{site}/{number}",
        "published_at": "2024-03-01T23:59:58",
        "domain": site,
        "title": f"Title {number}",
        "sources_id": number % 50,
        "feed_id": 1000 + number % 50,
        "feed_url": f"https://{site}/feed",
        "fetched_at": "2024-03-02T00:10:20.123456",
    } | changed


def envelope(rows: Sequence[object], **changed: Any) -> bytes:
    """An answer with rows."""
    return json.dumps({"version": "1", "status": "OK", "results": rows} | changed).encode()


class RSSFetcherServer:
    """Has `rows`, in the order of their ids; gives each of `replies` once instead, first of all.

    `asked` is called before each answer, `answered` after it, with its number. An OSError of
    `asked` ends the connection instead.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = list(rows)
        self.replies: deque[Reply] = deque()
        self.requests: list[Request] = []
        self.asked: Callable[[int], None] = lambda count: None
        self.answered: Callable[[int], None] = lambda count: None
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        # Closing the server waits for the threads of its connections.
        self._server.daemon_threads = False
        self.address = f"127.0.0.1:{self._server.server_port}"
        self.url = f"http://{self.address}"

    @property
    def variables(self) -> dict[str, str]:
        """How a program is told of it."""
        return {
            "RSS_FETCHER_URL": self.url,
            "RSS_FETCHER_USER": USER,
            "RSS_FETCHER_PASS": PASSWORD,
        }

    def reply(self, request: Request) -> Reply:
        """What is sent."""
        if self.replies:
            return self.replies.popleft()
        if request.headers.get("authorization") != AUTHORIZATION:
            return Reply(401, b'{"detail": "Invalid credentials"}')
        rows = [row for row in self.rows if row["id"] >= request.first]
        return Reply(body=envelope(rows[: request.limit]))

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer a request."""
        self.asked(len(self.requests) + 1)
        request = _request(handler)
        self.requests.append(request)
        reply = self.reply(request)
        handler.send_response(reply.status)
        for name, value in {"Content-Length": len(reply.body), **reply.headers}.items():
            handler.send_header(name, str(value))
        handler.end_headers()
        handler.wfile.write(reply.body)
        handler.wfile.flush()
        self.answered(len(self.requests))

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                with suppress(OSError):
                    server.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        return Handler

    @contextmanager
    def running(self) -> Iterator["RSSFetcherServer"]:
        """While it answers."""
        thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()


def _request(handler: BaseHTTPRequestHandler) -> Request:
    parts = urlsplit(handler.path)
    limit = parse_qs(parts.query).get("_limit", ["0"])[0]
    headers = {name.lower(): value for name, value in handler.headers.items()}
    return Request(handler.path, int(parts.path.rpartition("/")[2] or 0), int(limit), headers)
