"""Requests to imitation repositories, as plain as possible: no product in between."""

import http.client
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from newsroom.repositories.server import Repositories
from tests.patience import PATIENCE


class Got:
    """A response, read to its end; `error` if the connection ended before that."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.error: Exception | None = None
        try:
            self.body = response.read()
        except http.client.IncompleteRead as error:
            self.error, self.body = error, error.partial
        except OSError as error:
            self.error, self.body = error, b""

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def location(self) -> str:
        return self.headers["Location"] or ""


def ask(
    repositories: Repositories,
    url: str,
    method: str = "GET",
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> Got:
    """The response to one request."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection("127.0.0.1", repositories.port, timeout=PATIENCE)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request(method, target, body, {"Host": parts.netloc, **(headers or {})})
        return Got(connection.getresponse())
    finally:
        connection.close()


def follow(repositories: Repositories, url: str) -> tuple[str, Got]:
    """The last URL of a chain of redirects, and its response."""
    for _ in range(10):
        got = ask(repositories, url)
        if got.status not in (301, 302, 303, 307):
            return url, got
        url = got.location
    raise AssertionError(f"too many redirects, the last to {url}")
