"""A directory of feeds on loopback, over real HTTP, with the replies that a test sets."""

import json
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

TOKEN = "hunter2"
NOW = 1_700_000_000.25
"""Its time."""

Reply = Callable[[], Response]


def listed(id: int, **changed: Any) -> dict[str, Any]:
    """A feed in the format of the directory."""
    return {
        "id": id,
        "url": f"https://h{id}.example/feed",
        "name": f"Feed {id}",
        "source": 1 + id % 10,
        "admin_rss_enabled": True,
        "created_at": "2023-04-01T10:20:30.123456Z",
        "modified_at": "2023-04-01T10:20:30Z",
    } | changed


class DirectoryServer:
    """Has `feeds`; gives each of `replies` once instead of a page, each of `versions` of a version.

    `asked`: the parameters of the pages that were asked for.
    """

    def __init__(self, server: HTTPServer, feeds: Sequence[dict[str, Any]]) -> None:
        self.feeds = list(feeds)
        self.replies: deque[Reply | None] = deque()
        self.versions: deque[Reply] = deque()
        self.asked: list[dict[str, str]] = []
        self.agents: list[str] = []
        self.url = server.url_for("/").rstrip("/")
        server.expect_request("/api/version").respond_with_handler(self._version)
        server.expect_request("/api/sources/feeds/").respond_with_handler(self._page)

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables of a program that uses it."""
        return {"MCWEB_URL": self.url, "MCWEB_TOKEN": TOKEN}

    def _version(self, request: Request) -> Response:
        self.agents.append(request.headers["user-agent"])
        if self.versions:
            return self.versions.popleft()()
        return _json({"GIT_REV": "x", "now": NOW})

    def _page(self, request: Request) -> Response:
        self.asked.append(dict(request.args))
        if self.replies and (reply := self.replies.popleft()):
            return reply()
        if request.headers.get("authorization") != f"Token {TOKEN}":
            return _json({"detail": "Invalid token."}, 401)
        offset, limit = int(request.args["offset"]), int(request.args["limit"])
        page = self.feeds[offset : offset + limit]
        return _json({"count": len(self.feeds), "next": None, "results": page})


def _json(value: object, status: int = 200) -> Response:
    return Response(json.dumps(value), status, content_type="application/json")


def saying(value: object, status: int = 200, **headers: str) -> Reply:
    """A reply of JSON."""

    def reply() -> Response:
        response = _json(value, status)
        response.headers.extend({name.replace("_", "-"): text for name, text in headers.items()})
        return response

    return reply


def page_of_html(status: int = 200) -> Reply:
    """A reply with an HTML page."""
    return lambda: Response("<!doctype html><p>Log in", status, content_type="text/html")


def breaking_off() -> Response:
    """A reply that ends too early."""
    response = Response('{"results": [', content_type="application/json")
    response.headers["Content-Length"] = "9999"
    return response
