"""The landing page over real HTTP: hops, and a problem for each failure."""

import gzip
import re
from collections.abc import Mapping
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from indexer.errors import AddressRefused, BadResponse, FetchError, FilesetError, TooLarge
from indexer.filesets.landing.fetching import LandingPages
from indexer.filesets.landing.options import LandingOptions
from indexer.filesets.landing.resource import Resource
from indexer.filesets.wayback.archive import MAX_HOPS
from indexer.http.fetching.client import Client
from tests.clock import Clock
from tests.each_row import each_row
from tests.http.fetching.clients import client

PAGE = b"<html><head><title>A</title></head></html>"
HTML = {"content-type": "text/html"}

Answers = Mapping[str, tuple[int, Mapping[str, str], bytes]]


def serve(server: HTTPServer, answers: Answers) -> None:
    def answer(request: Request) -> Response:
        path = request.full_path.rstrip("?")
        status, headers, body = answers.get(path, (404, HTML, b"none"))
        return Response(body, status, dict(headers))

    server.clear()
    server.expect_request(re.compile(".*")).respond_with_handler(answer)


def fetch(server: HTTPServer, url: str, **options: Any) -> Resource:
    with client() as http:
        return pages(http, server, **options).fetch(url.replace("HERE", server.url_for("")[:-1]))


def pages(http: Client, server: HTTPServer, **options: Any) -> LandingPages:
    given = LandingOptions(doi_url=server.url_for("/doi"), **options)
    return LandingPages(http, given, now=Clock().utc)


def to(path: str) -> tuple[int, Mapping[str, str], bytes]:
    return 302, {"location": path}, b""


def test_all_hops_are_kept(httpserver: HTTPServer) -> None:
    serve(
        httpserver,
        {
            "/doi/10.5072/a": to("/b"),
            "/b": to("/c?d=1"),
            "/c?d=1": (200, HTML | {"Link": "<x>; rel=item"}, PAGE),
        },
    )
    found = fetch(httpserver, "https://doi.org/10.5072/A")
    here = httpserver.url_for("")[:-1]
    assert found.hops == ["https://doi.org/10.5072/A", f"{here}/b", f"{here}/c?d=1"]
    assert found.terminal_url == f"{here}/c?d=1"
    assert found.terminal_dt == "20260115120000"
    assert (found.status, found.content_type, found.body) == (200, "text/html", PAGE)
    assert found.headers["link"] == "<x>; rel=item"
    assert (found.problem, found.message) == ("", "")


CIRCLE = {"/a": to("/b"), "/b": to("/a")}
LONG = {f"/{at}": to(f"/{at + 1}") for at in range(MAX_HOPS + 2)}


@each_row(
    ("answers", "path", "problem"),
    (
        ({"/a": (404, HTML, b"none")}, "/a", "terminal-bad-status"),
        ({"/a": (500, HTML, b"none")}, "/a", "terminal-bad-status"),
        ({"/a": (202, {"x-amzn-waf-action": "challenge"}, b"")}, "/a", "terminal-bad-status"),
        ({"/a": (200, HTML, b"")}, "/a", "empty-blob"),
        ({"/a": (302, {}, b"")}, "/a", "bad-redirect"),
        ({"/a": to("ftp://example.org/")}, "/a", "bad-redirect"),
        (CIRCLE, "/a", "redirect-loop"),
        (LONG, "/0", "redirects-exceeded"),
        ({"/a": to("/cookieAbsent"), "/cookieAbsent": (200, HTML, PAGE)}, "/a", "blocked-cookie"),
        (
            {"/a": to("/b?://orcid.org/"), "/b?://orcid.org/": (200, HTML, PAGE)},
            "/a",
            "skip-url-blocklist",
        ),
        ({"/a": (200, HTML, gzip.compress(PAGE)[:-9])}, "/a", "bad-gzip-encoding"),
        ({"/a": to("http://169.254.1.1/")}, "/a", "skip-url-blocklist"),
    ),
)
def test_a_page_that_cannot_be_used_has_a_problem(
    httpserver: HTTPServer, answers: Answers, path: str, problem: str
) -> None:
    serve(httpserver, answers)
    found = fetch(httpserver, f"HERE{path}")
    assert found.problem == problem
    assert found.message
    assert found.body == b""
    assert found.hops[0].endswith(path)


def test_a_chain_of_the_longest_allowed_length_is_followed(httpserver: HTTPServer) -> None:
    serve(httpserver, LONG | {f"/{MAX_HOPS}": (200, HTML, PAGE)})
    found = fetch(httpserver, "HERE/0")
    assert (found.problem, len(found.hops)) == ("", MAX_HOPS + 1)


def test_a_page_that_is_packed_without_saying_so_is_unpacked(httpserver: HTTPServer) -> None:
    serve(httpserver, {"/a": (200, HTML, gzip.compress(PAGE))})
    assert fetch(httpserver, "HERE/a").body == PAGE


def test_the_body_of_a_file_is_not_read(httpserver: HTTPServer) -> None:
    serve(httpserver, {"/a": (200, {"content-type": "application/zip"}, b"PK")})
    found = fetch(httpserver, "HERE/a")
    assert (found.problem, found.body, found.content_type) == ("", b"", "application/zip")


HANDLE = b'{"responseCode": 1, "values": [{"type": "HS_ADMIN"}, {"type": "URL", "data": {"value": \
"https://repo.example.org/item/1"}}]}'


@each_row(
    ("handle", "hops"),
    (
        ((200, HTML, HANDLE), ["https://repo.example.org/item/1"]),
        ((200, HTML, b'{"responseCode": 100}'), []),
        ((200, HTML, b'{"values": [7, {"type": "URL", "data": 1}, {"type": "URL"}]}'), []),
        ((200, HTML, b"no JSON"), []),
        ((404, HTML, b""), []),
    ),
)
def test_a_doi_that_does_not_redirect_is_looked_up(
    httpserver: HTTPServer, handle: tuple[int, Mapping[str, str], bytes], hops: list[str]
) -> None:
    serve(httpserver, {"/doi/api/handles/10.5072/a": handle})
    found = fetch(httpserver, "https://doi.org/10.5072/a")
    assert found.hops == ["https://doi.org/10.5072/a", *hops]
    assert found.problem == "terminal-bad-status"


@each_row(
    ("url", "status"),
    (
        ("https://web.archive.org/web/2020/https://example.org/", "not-implemented"),
        ("https://ieeexplore.ieee.org/document/1", "skip-url-blocklist"),
        ("no URL", "invalid-url"),
    ),
)
def test_a_url_that_must_not_be_fetched_is_not(
    httpserver: HTTPServer, url: str, status: str
) -> None:
    with pytest.raises(FilesetError, match=status):
        fetch(httpserver, url)


class Failing(Client):
    """A client whose requests all fail."""

    def __init__(self, error: FetchError) -> None:
        self.error = error

    def ask(self, request: object) -> Any:
        raise self.error


FAILURES = {
    **dict.fromkeys(("unknown host", "name look-up, for now"), "invalid-host-resolution"),
    "connect timeout": "gateway-timeout",
    "read timeout": "read-timeout",
    "deadline": "read-timeout",
    "TLS": "no-capture",
    "connection": "no-capture",
    "of a future client": "no-capture",
}


@each_row(
    ("error", "problem"),
    (
        *((FetchError("why", failure=name), status) for name, status in FAILURES.items()),
        (TooLarge("why"), "body-too-large"),
        (AddressRefused("why"), "skip-url-blocklist"),
        (BadResponse("why"), "no-capture"),
    ),
)
def test_a_failure_of_the_network_is_a_problem(
    httpserver: HTTPServer, error: FetchError, problem: str
) -> None:
    found = pages(Failing(error), httpserver).fetch("https://example.org/a")
    assert (found.problem, found.message, found.status) == (problem, "why", 0)


def test_every_exchange_is_recorded(httpserver: HTTPServer) -> None:
    serve(httpserver, {"/a": to("/b"), "/b": (200, HTML, PAGE)})
    urls: list[str] = []
    with client() as http:
        options = LandingOptions(doi_url=httpserver.url_for("/doi"))
        LandingPages(http, options, record=lambda each: urls.append(each.url)).fetch(
            httpserver.url_for("/a")
        )
    assert urls == [httpserver.url_for("/a"), httpserver.url_for("/b")]
