"""A client of the operator's own server: its requests and its errors.

How it is bounded is tested with the client of an rss-fetcher.
"""

import pytest
from pytest_httpserver import HTTPServer

from indexer.errors import ConfigurationError, InputError
from indexer.http.bounded_requests import AnswerLimits
from indexer.http.json_service import (
    Advice,
    JSONService,
    Missing,
    Unavailable,
    explanation,
    json_of,
)
from tests.each_row import each_row
from tests.patience import PATIENCE

ADVICE = Advice("--url", "check --token", "ask for less")


LIMITS = AnswerLimits(connect=PATIENCE, read=PATIENCE, total=PATIENCE, max_bytes=10_000)


def service(url: str, authorization: str = "Token x") -> JSONService:
    """A client of a server that is named `thing`."""
    return JSONService("thing", url, LIMITS, ADVICE, authorization=authorization)


def test_a_path_is_below_the_servers(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/below/api").respond_with_json([1])
    asked = service(httpserver.url_for("/below/"))
    assert json_of(asked.get("/api?a=1")) == [1]
    assert asked.url("/api") == httpserver.url_for("/below/api")
    headers = httpserver.log[0][0].headers
    assert (headers["authorization"], headers["accept"]) == ("Token x", "application/json")


HTML = {"Content-Type": "text/html"}
PORTAL = {"Location": "http://portal.example/login"}


@each_row(
    ("status", "headers", "body", "kind", "why"),
    [
        (401, {}, "", ConfigurationError, "HTTP 401: check --token"),
        (403, {}, "", ConfigurationError, "HTTP 403: check --token"),
        (429, {}, "", Unavailable, "HTTP 429"),
        # FastAPI: an rss-fetcher.
        (404, {}, '{"detail": "Not Found"}', Missing, "HTTP 404 (Not Found)"),
        (422, {}, '{"detail": [{"loc": ["query"], "msg": "no"}]}', InputError, "HTTP 422"),
        (500, {"Content-Type": "text/plain"}, "Internal Server Error", Unavailable, "HTTP 500"),
        # RabbitMQ.
        (401, {}, '{"error": "x", "reason": "no user"}', ConfigurationError, "401 (no user): chec"),
        # nginx and Cloudflare.
        (502, HTML, "<center><h1>502 Bad Gateway</h1>", Unavailable, "HTTP 502"),
        (522, HTML, "<title>522: Connection timed out</title>", Unavailable, "HTTP 522"),
        (403, HTML, "<title>Just a moment...</title>", ConfigurationError, "HTTP 403: check"),
        (301, {"Location": "https://a/b"}, "", InputError, "redirects to https://a/b; set --url"),
        (302, {}, "", InputError, "it redirects to nowhere; set --url to the final URL"),
        # Networks that want a login.
        (302, PORTAL, "", InputError, "it redirects to http://portal.example/login; set --url"),
        (511, HTML, "<p>Log in", Unavailable, "HTTP 511"),
        (
            407,
            HTML,
            "<p>Proxy login",
            ConfigurationError,
            "the proxy refuses us (407): check HTTP_",
        ),
    ],
)
def test_errors_say_which_server_and_what_to_do(
    httpserver: HTTPServer,
    status: int,
    headers: dict[str, str],
    body: str,
    kind: type[Exception],
    why: str,
) -> None:
    httpserver.clear()
    httpserver.expect_request("/").respond_with_data(body, status, headers)
    with pytest.raises(kind, match=rf"^thing localhost:{httpserver.port}: ") as failed:
        service(httpserver.url_for("")).get("/")
    assert type(failed.value) is kind
    assert why in str(failed.value)


def test_a_page_instead_of_json_is_no_json(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data("<title>Log in</title>", 200, HTML)
    assert json_of(service(httpserver.url_for("")).get("/")) is None


def test_a_user_in_the_url_is_used_and_not_shown(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/below/a").respond_with_data(status=500)
    asked = service(httpserver.url_for("/below").replace("//", "//me:p%40ss:ö@"), "")
    with pytest.raises(Unavailable) as failed:
        asked.get("/a")
    assert "me" not in str(failed.value).partition(":")[0]
    assert "ss:" not in f"{failed.value} {asked.url('/a')} {asked.server}"
    authorization = httpserver.log[0][0].authorization
    assert authorization
    assert (authorization.username, authorization.password) == ("me", "p@ss:ö")


def test_two_credentials_are_one_too_many() -> None:
    with pytest.raises(ConfigurationError, match="a user in the URL, and other cred") as refused:
        service("http://me:hunter2@host/")
    assert "hunter2" not in str(refused.value)


def test_an_answer_above_the_limit_is_an_error(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data("x" * 20_000)
    with pytest.raises(InputError, match=r"more than 10000 bytes: ask for less"):
        service(httpserver.url_for("")).get("/")


@each_row("url", ["h/hunter2", "http://h/?hunter2", "http://u:hunter2@/", "http://hunter2@h:x", ""])
def test_a_useless_server_url_is_refused_and_not_quoted(url: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^--url: ") as failed:
        service(url, "")
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
