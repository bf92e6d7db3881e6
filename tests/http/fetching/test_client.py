"""Tests of the client, against real servers on loopback."""

import gzip
import threading
from collections.abc import Callable

import brotli  # type: ignore[import-untyped]  # it has no type information
import pytest
import zstandard
from pytest_httpserver import HTTPServer
from werkzeug import Request as Received
from werkzeug import Response

from indexer.errors import (
    BadURL,
    Discard,
    FetchError,
    TooLarge,
    TooManyRedirects,
)
from indexer.http.fetching import FetchOptions, Request
from indexer.http.fetching.client import Client
from tests.each_row import each_row
from tests.http.fetching.clients import client
from tests.http.fetching.raw import serving

PAGE = "<html>Grüße</html>".encode()


def test_a_page_comes_with_its_headers(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/a").respond_with_data(
        PAGE, content_type="text/HTML; Charset=Windows-1252", headers={"X-Own": "1"}
    )

    response = client().get(httpserver.url_for("/a"))

    assert (response.status, response.body) == (200, PAGE)
    assert response.url == httpserver.url_for("/a")
    assert (response.media_type, response.charset) == ("text/html", "Windows-1252")
    assert response.headers["x-OWN"] == "1"
    assert response.redirects == []
    assert response.seconds > 0


def test_there_is_no_default_charset(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data(PAGE, headers={"Content-Type": "text/html"})

    assert client().get(httpserver.url_for("/")).charset is None


def test_a_request_has_our_user_agent_and_no_data_of_this_machine(
    httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    seen: list[Received] = []
    httpserver.expect_request("/").respond_with_handler(_keep(seen))

    client(contact_url="https://example.org/bot").get(httpserver.url_for("/"))

    assert dict(seen[0].headers) == {
        "Host": f"localhost:{httpserver.port}",
        "User-Agent": "Mozilla/5.0 (compatible; story-indexer/0.1; +https://example.org/bot)",
        "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "Accept-Language": "en",
        "Accept-Encoding": "gzip, deflate, br, zstd",
    }


@pytest.mark.parametrize(
    ("encoding", "encode"),
    [
        ("gzip", gzip.compress),
        ("br", brotli.compress),
        ("zstd", zstandard.ZstdCompressor().compress),
    ],
)
def test_content_encodings_are_undone(
    httpserver: HTTPServer, encoding: str, encode: Callable[[bytes], bytes]
) -> None:
    httpserver.expect_request("/").respond_with_data(
        encode(PAGE), headers={"Content-Encoding": encoding}
    )

    assert client().get(httpserver.url_for("/")).body == PAGE


def test_the_body_of_an_error_is_not_read(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data("x" * 1000, status=404)

    response = client(max_html_bytes=10).get(httpserver.url_for("/"))

    assert (response.status, response.body) == (404, b"")


def test_a_body_that_is_not_wanted_is_not_read(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data("x" * 1000, content_type="video/mp4")

    request = Request(
        url=httpserver.url_for("/"), wanted=lambda head: head.media_type == "text/html"
    )
    response = client(max_html_bytes=10).ask(request)

    assert (response.status, response.body) == (200, b"")


def test_a_chunked_body_is_put_together() -> None:
    chunked = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"
    )
    with serving(chunked) as server:
        assert client().get(server.url).body == b"abcde"


def test_a_body_may_end_with_the_connection() -> None:
    with serving(b"HTTP/1.0 200 OK\r\n\r\nall of it") as server:
        assert client().get(server.url).body == b"all of it"


@pytest.mark.parametrize("size", [999, 1000])
def test_a_page_of_up_to_the_limit_is_taken(httpserver: HTTPServer, size: int) -> None:
    httpserver.expect_request("/").respond_with_data("x" * size)

    assert len(client(max_html_bytes=1000).get(httpserver.url_for("/")).body) == size


def test_a_larger_page_is_refused_or_cut(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data(gzip.compress(b"x" * 1001), headers={
        "Content-Encoding": "gzip"})  # fmt: skip

    with pytest.raises(TooLarge, match="larger than 1000 bytes"):
        client(max_html_bytes=1000).get(httpserver.url_for("/"))
    cut = client().ask(Request(url=httpserver.url_for("/"), max_bytes=1000, cut=True))
    assert cut.body == b"x" * 1000


def test_redirects_are_followed_one_by_one(httpserver: HTTPServer) -> None:
    _redirect(httpserver, "/1", "2?x=a b")
    _redirect(httpserver, "/2", httpserver.url_for("/gr\u00fc\u00dfe"), status=308)
    httpserver.expect_request("/gr\u00fc\u00dfe").respond_with_data(PAGE)
    asked: list[str] = []

    response = client().ask(Request(url=httpserver.url_for("/1"), check=asked.append))

    assert response.body == PAGE
    assert response.url == httpserver.url_for("/gr%C3%BC%C3%9Fe")
    assert response.redirects == [httpserver.url_for("/1"), httpserver.url_for("/2?x=a%20b")]
    assert asked == [httpserver.url_for("/2?x=a%20b"), httpserver.url_for("/gr%C3%BC%C3%9Fe")]


def test_a_redirect_that_the_check_refuses_is_not_visited(httpserver: HTTPServer) -> None:
    _redirect(httpserver, "/1", "/2")

    def refuse(url: str) -> None:
        raise Discard("non-news2", url)

    with pytest.raises(Discard, match="non-news2"):
        client().ask(Request(url=httpserver.url_for("/1"), check=refuse))
    assert [request.path for request, _ in httpserver.log] == ["/1"]


@each_row(
    ("head", "status"),
    [
        ({}, "badredir"),
        ({"Location": " "}, "badredir"),
        ({"Location": "http://["}, "badredir2"),
        ({"Location": "ftp://example.com/"}, "badredir2"),
        ({"Location": "http://user:secret@example.com/"}, "badredir2"),
        ({"Location": "file:///etc/passwd"}, "badredir2"),
    ],
)
def test_a_redirect_to_nowhere_is_an_error(head: dict[str, str], status: str) -> None:
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    answer = f"HTTP/1.1 302 Found\r\n{lines}\r\n".encode()
    with serving(answer) as server, pytest.raises(FetchError) as failed:
        client().get(server.url)

    assert failed.value.status == status
    assert "secret" not in str(failed.value)


def test_a_redirect_to_two_places_is_an_error() -> None:
    answer = b"HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\n\r\n"
    with serving(answer) as server, pytest.raises(FetchError, match="different Locations"):
        client().get(server.url)


def test_a_redirect_loop_ends_when_it_closes(httpserver: HTTPServer) -> None:
    _redirect(httpserver, "/1", "/2")
    _redirect(httpserver, "/2", "/1")

    with pytest.raises(TooManyRedirects, match="loop"):
        client().get(httpserver.url_for("/1"))
    assert len(httpserver.log) == 2


def test_redirects_that_never_end_are_ended(httpserver: HTTPServer) -> None:
    def on(request: Received) -> Response:
        return Response(status=302, headers={"Location": f"/{int(request.path[1:]) + 1}"})

    httpserver.expect_request(_Anything()).respond_with_handler(on)

    with pytest.raises(TooManyRedirects, match="more than 3 redirects"):
        client(max_redirects=3).get(httpserver.url_for("/0"))
    assert len(httpserver.log) == 4


def test_cookies_live_along_one_chain_and_no_longer(httpserver: HTTPServer) -> None:
    def gate(request: Received) -> Response:
        if request.cookies.get("seen") == "yes":
            return Response(PAGE)
        head = {"Location": "/", "Set-Cookie": "seen=yes; Path=/"}
        return Response(status=302, headers=head)

    httpserver.expect_request("/").respond_with_handler(gate)
    same = client()

    assert [same.get(httpserver.url_for("/")).body for _ in range(2)] == [PAGE, PAGE]
    assert len(httpserver.log) == 4


def test_cookies_are_sent_to_their_own_site_only() -> None:
    seen = b""
    with serving(b"HTTP/1.1 200 OK\r\n\r\n") as other:
        to = f"http://other.test:{other.port}/"
        answer = f"HTTP/1.1 302 Found\r\nLocation: {to}\r\nSet-Cookie: secret=1\r\n\r\n"
        with serving(answer.encode()) as server:
            client(resolve=["*.test=127.0.0.1"]).get(f"http://one.test:{server.port}/")
        seen = other.requests[0]
    assert b"secret" not in seen


def test_credentials_are_never_sent(httpserver: HTTPServer) -> None:
    with pytest.raises(BadURL, match="password"):
        client().get(f"http://user:secret@localhost:{httpserver.port}/")
    assert not httpserver.log


def test_one_client_serves_many_threads(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data(PAGE)
    shared, url, bodies = client(), httpserver.url_for("/"), list[bytes]()
    threads = [
        threading.Thread(target=lambda: bodies.append(shared.get(url).body)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert bodies == [PAGE] * 8


def test_a_stream_gives_a_file_of_any_length(httpserver: HTTPServer) -> None:
    lines = b"".join(b"https://example.com/%d\n" % number for number in range(50_000))
    httpserver.expect_request("/urls").respond_with_data(lines)

    with client(max_html_bytes=10, max_encoded_bytes=10).open(httpserver.url_for("/urls")) as file:
        assert file.readline() == b"https://example.com/0\n"
        assert sum(1 for _ in file) == 49_999


def test_a_stream_is_as_it_is_stored(httpserver: HTTPServer) -> None:
    seen: list[Received] = []
    stored = gzip.compress(PAGE)
    httpserver.expect_request("/feed.gz").respond_with_handler(_keep(seen, stored))

    with client().open(httpserver.url_for("/feed.gz")) as file:
        assert file.read() == stored
    assert seen[0].headers["Accept-Encoding"] == "identity"


def test_a_stream_that_is_encoded_all_the_same_is_decoded(httpserver: HTTPServer) -> None:
    head = {"Content-Encoding": "gzip"}
    httpserver.expect_request("/").respond_with_data(gzip.compress(PAGE), headers=head)

    with client().open(httpserver.url_for("/")) as file:
        assert file.read() == PAGE


def test_a_stream_may_have_a_limit(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data("x" * 200_000)

    file = client().open(httpserver.url_for("/"), max_bytes=100_000)
    with file, pytest.raises(TooLarge):
        file.read()


def test_a_missing_page_is_no_stream(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data("no", status=404)

    with pytest.raises(FetchError, match="HTTP 404") as failed:
        client().open(httpserver.url_for("/"))
    assert failed.value.status == "http-404"


def test_the_defaults_refuse_this_machine(httpserver: HTTPServer) -> None:
    with pytest.raises(FetchError, match=r"localhost \(127.0.0.1\) refused \(loopback\)"):
        Client(FetchOptions()).get(httpserver.url_for("/"))
    assert not httpserver.log


class _Anything(str):
    """Equal to every path."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return True


def _redirect(server: HTTPServer, path: str, location: str, status: int = 302) -> None:
    server.expect_request(path).respond_with_data(status=status, headers={"Location": location})


def _keep(seen: list[Received], data: bytes = PAGE) -> Callable[[Received], Response]:
    def handle(request: Received) -> Response:
        seen.append(request)
        return Response(data)

    return handle
