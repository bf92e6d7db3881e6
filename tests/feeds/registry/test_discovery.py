"""Feeds found by names: URLs, pages, lists, files and directories."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from indexer.errors import ConfigurationError
from indexer.feeds.registry.discovery import Resolved, resolve
from indexer.feeds.registry.feed_spec import FeedSpec
from indexer.http.fetching import FetchOptions
from indexer.http.fetching.client import Client
from tests.patience import PATIENCE

RSS = "<rss version='2.0'><channel><title>News</title></channel></rss>"
LINK = '<link rel="alternate" type="application/rss+xml" title="News" href="news.rss">'
OPML = (
    "<opml><body><outline text='A' xmlUrl='https://a.example/'/><outline text='x'/></body></opml>"
)
NOTHING = "127.0.0.1:1"


@pytest.fixture
def client() -> Client:
    """A client that may visit loopback."""
    return Client(FetchOptions(allow_private=True, total_timeout=PATIENCE))


def urls(found: Resolved) -> list[str]:
    return [spec.url for spec in found.specs]


def only_problem(found: Resolved) -> str:
    (problem,) = found.problems
    return str(problem)


@pytest.mark.parametrize("body", [RSS, gzip.compress(RSS.encode())])
def test_the_url_of_a_feed_is_that_feed(
    httpserver: HTTPServer, client: Client, body: str | bytes
) -> None:
    httpserver.expect_request("/feed").respond_with_data(body)
    url = httpserver.url_for("/feed")
    assert resolve([url], client) == Resolved([FeedSpec(url)], [])
    accepted = httpserver.log[0][0].headers["accept"]
    assert accepted.startswith("application/rss+xml")


def test_a_feed_keeps_the_url_that_was_named_though_it_redirects(
    httpserver: HTTPServer, client: Client
) -> None:
    httpserver.expect_request("/feed").respond_with_data(RSS)
    httpserver.expect_request("/old").respond_with_data(status=301, headers={"Location": "/feed"})
    url = httpserver.url_for("/old")
    assert urls(resolve([url], client)) == [url]


def test_a_page_stands_for_the_feeds_that_it_names(httpserver: HTTPServer, client: Client) -> None:
    page = f"<!doctype html><head>{LINK}</head>"
    httpserver.expect_request("/a/").respond_with_data(page)
    httpserver.expect_request("/").respond_with_data(status=302, headers={"Location": "/a/"})
    found = resolve([httpserver.url_for("/")], client)
    assert found == Resolved([FeedSpec(httpserver.url_for("/a/news.rss"), "News")], [])


def test_the_usual_places_are_looked_at_only_if_that_is_asked_for(
    httpserver: HTTPServer, client: Client
) -> None:
    httpserver.expect_request("/").respond_with_data("<!doctype html><p>hello")
    httpserver.expect_request("/rss").respond_with_data("<!doctype html><p>not here")
    httpserver.expect_request("/rss.xml").respond_with_data(RSS)
    url = httpserver.url_for("/")
    found = resolve([url], client)
    assert "links to no feeds" in only_problem(found)
    assert "--guess" in only_problem(found)
    assert len(httpserver.log) == 1
    found = resolve([url], client, guess=True)
    assert found == Resolved([FeedSpec(httpserver.url_for("/rss.xml"))], [])
    asked = [request.path for request, _ in httpserver.log]
    assert asked == ["/", "/", "/feed", "/rss", "/rss.xml"]


def test_a_page_without_feeds_anywhere_is_told(httpserver: HTTPServer, client: Client) -> None:
    httpserver.expect_request("/").respond_with_data("<!doctype html><p>hello")
    found = resolve([httpserver.url_for("/")], client, guess=True)
    assert only_problem(found).endswith("a page that links to no feeds")


@pytest.mark.parametrize("status", [429, 503])
def test_a_site_that_has_had_enough_is_asked_for_nothing_more(
    httpserver: HTTPServer, client: Client, status: int
) -> None:
    httpserver.expect_request("/").respond_with_data("<!doctype html><p>hello")
    httpserver.expect_request("/rss").respond_with_data(status=status)
    httpserver.expect_request("/rss.xml").respond_with_data(RSS)
    found = resolve([httpserver.url_for("/")], client, guess=True)
    assert only_problem(found).endswith("a page that links to no feeds")
    assert [request.path for request, _ in httpserver.log] == ["/", "/feed", "/rss"]


def test_a_list_on_the_web_gives_its_feeds_and_none_is_looked_at(
    httpserver: HTTPServer, client: Client
) -> None:
    httpserver.expect_request("/feeds.opml").respond_with_data(OPML)
    packed = gzip.compress(b"https://b.example/\nno feed\n")
    httpserver.expect_request("/feeds.txt.gz").respond_with_data(packed)
    names = [httpserver.url_for("/feeds.opml"), httpserver.url_for("/feeds.txt.gz")]
    found = resolve(names, client)
    assert found.specs == [FeedSpec("https://a.example/", "A"), FeedSpec("https://b.example/")]
    assert [problem.what for problem in found.problems] == ["x", "no feed"]


def test_files_directories_and_lists_of_names_are_read(
    httpserver: HTTPServer, client: Client, tmp_path: Path
) -> None:
    httpserver.expect_request("/feed").respond_with_data(RSS)
    folder = tmp_path / "lists"
    folder.mkdir()
    (folder / "a.opml").write_text(OPML)
    (folder / "b.csv.gz").write_bytes(gzip.compress(b"id,url\n7,https://b.example/\n"))
    names = tmp_path / "names"
    names.write_text(f"# mine\n{httpserver.url_for('/feed')}\n{folder}\n")
    found = resolve([f"@{names}"], client)
    assert urls(found) == [
        httpserver.url_for("/feed"),
        "https://b.example/",
        "https://a.example/",
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (RSS, "a feed, not a list of feeds: give the feed's URL"),
        ("hello", "neither OPML, nor CSV, nor URLs"),
        ("PK\x03\x04\x14\x00\x06", "a spreadsheet or a ZIP file: export its table as CSV"),
        (f"<!doctype html>{LINK}", "without links to feeds by absolute URLs"),
    ],
)
def test_what_is_in_a_file_and_no_list_is_told(
    client: Client, tmp_path: Path, text: str, why: str
) -> None:
    (tmp_path / "file").write_text(text)
    found = resolve([str(tmp_path / "file")], client)
    assert found.specs == []
    assert why in only_problem(found)


def test_a_page_that_was_saved_gives_the_feeds_with_whole_urls(
    client: Client, tmp_path: Path
) -> None:
    (tmp_path / "page").write_text(
        f"<!doctype html>{LINK.replace('news.rss', 'http://a.example/')}"
    )
    assert urls(resolve([str(tmp_path / "page")], client)) == ["http://a.example/"]


def _slow(_: Request) -> Response:
    return Response(status=503)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("/missing", "HTTP 404"),
        ("/busy", "HTTP 503"),
        ("/data", "neither a feed, nor a list of feeds, nor a web page"),
        ("/broken", "the gzip file is damaged"),
    ],
)
def test_one_url_that_is_none_does_not_cost_the_others(
    httpserver: HTTPServer, client: Client, name: str, why: str
) -> None:
    httpserver.expect_request("/feed").respond_with_data(RSS)
    httpserver.expect_request("/missing").respond_with_data(status=404)
    httpserver.expect_request("/busy").respond_with_handler(_slow)
    httpserver.expect_request("/data").respond_with_json({"a": 1})
    httpserver.expect_request("/broken").respond_with_data(b"\x1f\x8b" + b"\0" * 99)
    found = resolve([httpserver.url_for(name), httpserver.url_for("/feed")], client)
    assert urls(found) == [httpserver.url_for("/feed")]
    assert why in only_problem(found)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("/nowhere/feeds.opml", "no such file or directory: /nowhere/feeds.opml"),
        ("@/nowhere/names", "No such file"),
        ("feed://site.example/rss", "feed://site.example/rss: feed: only tells a browser"),
        ("https://me:pw@site.example/rss", "https://site.example/rss: a URL with a user name"),
        ("site.example/news", "site.example/news; a site is named https://site.example/news"),
        (f"http://{NOTHING}/feed", f"http://{NOTHING}/feed: can't be fetched: no connection"),
    ],
)
def test_what_is_not_there_is_told(client: Client, name: str, why: str) -> None:
    assert why in only_problem(resolve([name], client))


def test_a_private_address_is_not_visited_unless_it_may_be(httpserver: HTTPServer) -> None:
    found = resolve([httpserver.url_for("/feed")], Client(FetchOptions()))
    assert "can't be fetched" in only_problem(found)
    assert httpserver.log == []


def test_what_is_no_name_is_an_error(client: Client) -> None:
    with pytest.raises(ConfigurationError, match="inputs are files, or URLs"):
        resolve(["gopher://site.example/"], client)


def test_without_a_look_urls_are_feeds(client: Client) -> None:
    url = f"http://{NOTHING}/feed"
    assert resolve([url], client, look=False) == Resolved([FeedSpec(url)], [])


def test_of_what_never_ends_only_the_beginning_is_read(
    httpserver: HTTPServer, client: Client
) -> None:
    def endless(_: Request) -> Response:
        def pieces() -> Iterator[bytes]:
            yield f"<!doctype html><head>{LINK}".encode()
            while True:
                yield b"x" * 65_536

        return Response(pieces(), direct_passthrough=True)

    httpserver.expect_request("/").respond_with_handler(endless)
    assert urls(resolve([httpserver.url_for("/")], client)) == [httpserver.url_for("/news.rss")]
