"""A client of the operator's own server: its requests and its errors.

How it is bounded is tested with the client of an rss-fetcher.
"""

from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from indexer.errors import ConfigurationError, InputError
from indexer.http.json_service import (
    Advice,
    AnswerLimits,
    JSONService,
    Unavailable,
    explanation,
    json_of,
)
from tests.each_row import each_row

ADVICE = Advice("--url", "check --token", "ask for less")


def service(url: str, **limits: Any) -> JSONService:
    """A client of a server that is named `thing`."""
    bounds = AnswerLimits(**{"connect": 10, "read": 30, "total": 60, "max_bytes": 10_000, **limits})
    return JSONService("thing", url, {"Authorization": "Token x"}, bounds, ADVICE)


def test_a_path_is_below_the_servers(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/below/api").respond_with_json([1])
    asked = service(httpserver.url_for("/below/"))
    assert json_of(asked.get("/api?a=1")) == [1]
    assert asked.url("/api") == httpserver.url_for("/below/api")
    headers = httpserver.log[0][0].headers
    assert (headers["authorization"], headers["accept"]) == ("Token x", "application/json")


@pytest.mark.parametrize(
    ("status", "kind", "why"),
    [
        (401, ConfigurationError, "HTTP 401: check --token"),
        (403, ConfigurationError, "HTTP 403: check --token"),
        (404, InputError, "HTTP 404"),
        (302, InputError, "it redirects to nowhere; set --url to the final URL"),
        (429, Unavailable, "HTTP 429"),
        (500, Unavailable, "HTTP 500"),
    ],
)
def test_errors_say_which_server_and_what_to_do(
    httpserver: HTTPServer, status: int, kind: type[Exception], why: str
) -> None:
    httpserver.expect_request("/").respond_with_data(status=status)
    with pytest.raises(kind, match=rf"^thing localhost:{httpserver.port}: .*{why}"):
        service(httpserver.url_for("")).get("/")


def test_an_answer_above_the_limit_is_an_error(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data("x" * 20_000)
    with pytest.raises(InputError, match=r"more than 10000 bytes: ask for less"):
        service(httpserver.url_for("")).get("/")


@each_row("url", ["http://u:hunter2@h/", "h/hunter2", "http://h/?hunter2", ""])
def test_a_useless_server_url_is_refused_and_not_quoted(url: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^--url: ") as failed:
        service(url)
    assert "hunter2" not in str(failed.value)


@each_row(
    ("body", "words"),
    [
        (b'{"detail": "no\\nway"}', " (no way)"),
        (b'{"message": "", "note": "down"}', " (down)"),
        (b'{"message": 5}', ""),
        (b"[]", ""),
        (b"<p>", ""),
    ],
)
def test_the_explanation_in_the_answer_of_an_error(body: bytes, words: str) -> None:
    assert explanation(body) == words


def test_one_broken_text_does_not_make_an_answer_unreadable() -> None:
    assert json_of(b'{"a": "\xff"}') == {"a": "\ufffd"}
    assert json_of(b"[" * 100_000) is None
