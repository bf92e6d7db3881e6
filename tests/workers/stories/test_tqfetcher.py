"""Tests of the fetcher: every way for a story to end, politely."""

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from indexer.errors import ConfigurationError, Discard, Disposition, Requeue, Retry
from indexer.stories.story import RSSEntry, Story
from tests.clock import START, Clock
from tests.each_row import each_row
from tests.http.fetching.raw import serving
from tests.patience import PATIENCE
from workers.stories.tqfetcher import Fetcher, FetcherOptions

PAGE = "<html>Grüße</html>".encode()
QUICK: dict[str, Any] = {
    "allow_address": ["127.0.0.0/8"],
    "contact_url": "https://example.org/bot",
    "min_interval_seconds": 0.0,
    "connect_timeout": PATIENCE,
    "read_timeout": PATIENCE,
    "total_timeout": PATIENCE,
    "threads": 16,
}


@pytest.fixture
def clock() -> Clock:
    return Clock()


def fetcher(tmp_path: Path, **given: Any) -> Fetcher:
    """A fetcher for which no time passes."""
    options = FetcherOptions(data=tmp_path, **(QUICK | {"robots": False} | given))
    return Fetcher(options, (clock := Clock()), clock.time)


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Fetcher]:
    """A fetcher without patience, which asks for no robots.txt."""
    made = fetcher(tmp_path)
    yield made
    made.close()


def story(link: str | None) -> Story:
    return Story(rss_entry=RSSEntry(link=link, title="kept"))


def ending(fetcher: Fetcher, link: str | None) -> Disposition:
    """How a story ends that doesn't get its page."""

    def handle() -> None:
        fetcher.hold(story(link))
        fetcher.process(story(link))

    with pytest.raises(Disposition) as ended:
        handle()
    return ended.value


def test_a_page_is_in_the_story_with_how_it_was_fetched(
    httpserver: HTTPServer, quick: Fetcher
) -> None:
    httpserver.expect_request("/1").respond_with_data(
        status=301, headers={"Location": "/caf\u00e9"}
    )
    httpserver.expect_request("/caf\u00e9").respond_with_data(
        PAGE, content_type="text/html; charset=UTF-8"
    )

    assert quick.hold(story(httpserver.url_for("/1"))) == 0
    done = quick.process(story(httpserver.url_for("/1")))

    assert done.raw_html.html == PAGE
    assert done.raw_html.encoding is None
    assert done.http_metadata.response_code == 200
    assert done.http_metadata.final_url == httpserver.url_for("/caf%C3%A9")
    assert done.http_metadata.encoding == "UTF-8"
    assert done.http_metadata.fetch_timestamp == START.timestamp()
    assert done.rss_entry == RSSEntry(link=httpserver.url_for("/1"), title="kept")


def test_a_charset_that_no_header_names_is_null(httpserver: HTTPServer, quick: Fetcher) -> None:
    httpserver.expect_request("/").respond_with_data(PAGE, headers={"Content-Type": "text/html"})

    assert quick.process(story(httpserver.url_for("/"))).http_metadata.encoding is None


LINKS = [
    (None, "no-url"),
    ("", "no-url"),
    ("http://[", "badurl1"),
    ("not a url", "badurl1"),
    ("ftp://example.com/", "badurl1"),
    ("http:///a", "badurl1"),
    ("http://a\x00b.com/", "badurl1"),
    ("http://user:secret@example.com/", "badurl1"),
    ("http://169.254.169.254/", "bad-host"),
    ("http://[::ffff:10.0.0.1]/", "bad-host"),
    ("https://www.youtube.com/watch", "non-news"),
    ("https://shop.example/a", "non-news"),
]


@each_row(("link", "status"), LINKS)
def test_a_bad_link_is_dropped_before_it_is_held(
    tmp_path: Path, link: str | None, status: str
) -> None:
    checking = fetcher(tmp_path, skip_domains=["shop.example"])

    for handle in (checking.hold, checking.process):
        with pytest.raises(Discard) as dropped:
            handle(story(link))
        assert dropped.value.status == status
        assert "secret" not in str(dropped.value)


def test_a_host_that_resolves_to_the_inside_is_dropped(tmp_path: Path) -> None:
    ended = ending(fetcher(tmp_path, resolve=["news.test=10.0.0.1"]), "http://news.test/")

    assert isinstance(ended, Discard)
    assert str(ended) == "bad-host: news.test (10.0.0.1) refused (private)"


REDIRECTS = [
    ("http://169.254.169.254/", "bad-host: redirect to 169.254.169.254 refused (cloud metadata)"),
    ("http://in.test/", "bad-host: redirect to in.test (10.0.0.1) refused (private)"),
    ("https://www.youtube.com/", "non-news2: redirect to www.youtube.com is on the skip list"),
    ("ftp://example.com/", "badredir2: redirect to a bad URL: not http or https: ftp"),
    ("http://user:secret@a.com/",
     "badredir2: redirect to a bad URL: a URL with a user name or password"),
    ("", "badredir: HTTP 302 with no Location"),
    ("/", "maxredir: a redirect loop, back to {url}"),
]  # fmt: skip


@pytest.mark.parametrize(("location", "why"), REDIRECTS)
def test_a_redirect_is_checked_like_a_link(
    httpserver: HTTPServer, tmp_path: Path, location: str, why: str
) -> None:
    httpserver.expect_request("/").respond_with_data(status=302, headers={"Location": location})

    ended = ending(fetcher(tmp_path, resolve=["in.test=10.0.0.1"]), httpserver.url_for("/"))

    assert isinstance(ended, Discard)
    assert str(ended) == why.format(url=httpserver.url_for("/"))


ANSWERS = [
    ({"status": 403}, Discard, "http-403"),
    ({"status": 404}, Discard, "http-404"),
    ({"status": 410}, Discard, "http-4xx"),
    ({"status": 429}, Retry, "http-429"),
    ({"status": 503}, Retry, "http-5xx"),
    ({"response_data": "{}", "content_type": "application/json"}, Discard, "not-text"),
    ({"response_data": "", "content_type": "text/html"}, Discard, "no-html"),
    ({"response_data": "x" * 200_000}, Discard, "oversized"),
    ({"response_data": "x", "headers": {"Content-Encoding": "gzip"}}, Retry, "noconn"),
]


@pytest.mark.parametrize(("answer", "kind", "status"), ANSWERS)
def test_what_is_no_page_ends_with_its_status(
    httpserver: HTTPServer,
    tmp_path: Path,
    answer: dict[str, Any],
    kind: type[Disposition],
    status: str,
) -> None:
    httpserver.expect_request("/").respond_with_data(**answer)

    ended = ending(fetcher(tmp_path, max_html_bytes=100_000), httpserver.url_for("/"))

    assert type(ended) is kind
    assert ended.status == status
    assert getattr(ended, "drop", True)


@pytest.mark.parametrize("robots", [False, True])
def test_a_site_that_can_t_be_reached_is_left_alone(tmp_path: Path, robots: bool) -> None:
    url, trying = "http://127.0.0.1:1/a", fetcher(tmp_path, robots=robots)
    trying.hold(story(url))

    ended = str(ending(trying, url))

    assert ended.startswith("noconn: ")
    assert ended.endswith("no connection to 127.0.0.1: connection refused")
    with pytest.raises(Retry, match="skipped:"):
        trying.hold(story(url))
    with pytest.raises(Retry, match="skipped2:"):
        trying.process(story(url))


def test_a_broken_page_is_no_reason_to_leave_its_site_alone(quick: Fetcher) -> None:
    with serving(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf") as server:
        assert ending(quick, server.url).status == "noconn"
        assert quick.hold(story(server.url)) >= 0


def test_retry_after_holds_all_stories_of_the_host(httpserver: HTTPServer, quick: Fetcher) -> None:
    httpserver.expect_request("/a").respond_with_data(status=429, headers={"Retry-After": "60"})

    ended = ending(quick, httpserver.url_for("/a"))

    assert isinstance(ended, Retry)
    assert ended.delay == 60
    assert quick.hold(story(httpserver.url_for("/b"))) == 60


def test_a_429_without_retry_after_slows_the_site_down(
    httpserver: HTTPServer, quick: Fetcher
) -> None:
    httpserver.expect_request("/a").respond_with_data(status=429)

    ended = ending(quick, httpserver.url_for("/a"))

    assert isinstance(ended, Retry)
    assert ended.delay is None
    waits = [quick.hold(story(httpserver.url_for("/b"))) for _ in range(2)]
    assert waits == [30, 60]


def test_a_site_is_the_host_of_the_link_in_any_spelling(tmp_path: Path) -> None:
    polite = fetcher(tmp_path, min_interval_seconds=5.0)
    links = ["http://News.example/a", "https://news.example./b", "http://news.example:81/c"]

    waits = [polite.hold(story(link)) for link in (*links, "http://www.news.example/")]

    assert waits == [0, 5, 10, 0]


def test_stories_beyond_the_share_of_a_site_are_put_back(tmp_path: Path) -> None:
    polite = fetcher(tmp_path, min_interval_seconds=5.0, threads=4)
    assert (polite.prefetch, polite.requeue_delay) == (8, 120.0)

    polite.hold(story("http://a.com/"))
    polite.hold(story("http://a.com/"))
    with pytest.raises(Requeue, match="busy"):
        polite.hold(story("http://a.com/"))
    assert polite.hold(story("http://b.com/")) == 0


def test_one_thread_may_hold_one_story_of_a_site(tmp_path: Path) -> None:
    assert fetcher(tmp_path, threads=1).hold(story("http://a.com/")) == 0


def test_never_more_than_the_target_are_fetched_of_a_site_at_once(tmp_path: Path) -> None:
    polite = fetcher(tmp_path, target_concurrency=3)
    asked, statuses, enough = list[str](), list[str](), threading.Event()

    def slow(sock: socket.socket) -> None:
        asked.append("/")
        assert enough.wait(PATIENCE)
        sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE)

    def handle() -> None:
        try:
            polite.process(story(server.url))
            statuses.append("success")
        except Requeue as requeue:
            statuses.append(requeue.status)
            if len(statuses) == 5:
                enough.set()

    with serving(slow) as server:
        threads = [threading.Thread(target=handle) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert len(asked) == 3
    assert statuses == ["busy"] * 5 + ["success"] * 3


def test_robots_txt_is_obeyed_by_default(httpserver: HTTPServer, tmp_path: Path) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data("User-agent: *\nDisallow: /no")
    httpserver.expect_request("/yes").respond_with_data(PAGE)
    httpserver.expect_request("/to-no").respond_with_data(status=302, headers={"Location": "/no"})
    obedient = fetcher(tmp_path, robots=True)

    assert obedient.process(story(httpserver.url_for("/yes"))).raw_html.html == PAGE
    for path in ("/no", "/to-no"):
        with pytest.raises(Discard, match="robots: disallowed"):
            obedient.process(story(httpserver.url_for(path)))
    with pytest.raises(Discard, match="robots"):
        obedient.hold(story(httpserver.url_for("/no")))
    assert [request.path for request, _ in httpserver.log] == ["/robots.txt", "/yes", "/to-no"]


@pytest.mark.parametrize("given", [{"robots": False}, {"robots_except": ["localhost"]}])
def test_robots_txt_may_be_left_out_under_agreement(
    httpserver: HTTPServer, tmp_path: Path, given: dict[str, Any]
) -> None:
    httpserver.expect_request("/no").respond_with_data(PAGE)
    free = fetcher(tmp_path, **({"robots": True} | given))

    assert free.process(story(httpserver.url_for("/no"))).raw_html.html == PAGE
    assert len(httpserver.log) == 1


def test_a_site_whose_robots_txt_fails_is_tried_again(
    httpserver: HTTPServer, tmp_path: Path
) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data(status=500)

    ended = ending(fetcher(tmp_path, robots=True), httpserver.url_for("/a"))

    assert isinstance(ended, Retry)
    assert ended.status == "robots-unreachable"
    assert ended.drop


def test_a_robots_txt_counts_as_a_visit(httpserver: HTTPServer, tmp_path: Path) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data("")
    httpserver.expect_request("/a").respond_with_data(PAGE)
    polite = fetcher(tmp_path, robots=True, min_interval_seconds=5.0)
    link = httpserver.url_for("/a")

    polite.hold(story(link))
    polite.process(story(link))

    assert polite.hold(story(link)) == 10


@pytest.mark.parametrize(
    ("given", "delay", "wait"),
    [({}, "20", 20.0), ({}, "9999", 60.0), ({"crawl_delay": False}, "20", 0.0)],
)
def test_a_crawl_delay_is_kept_within_reason(
    httpserver: HTTPServer, tmp_path: Path, given: dict[str, Any], delay: str, wait: float
) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data(
        f"User-agent: *\nCrawl-delay: {delay}"
    )
    httpserver.expect_request("/a").respond_with_data(PAGE)
    polite = fetcher(tmp_path, robots=True, **given)
    polite.process(story(httpserver.url_for("/a")))
    first = polite.hold(story(httpserver.url_for("/a")))

    assert polite.hold(story(httpserver.url_for("/a"))) - first == wait


def test_a_restart_remembers_which_sites_are_down(tmp_path: Path) -> None:
    before = fetcher(tmp_path)
    ending(before, "http://127.0.0.1:1/")
    before.close()

    assert ending(fetcher(tmp_path), "http://127.0.0.1:1/").status == "skipped"
    assert ending(fetcher(tmp_path, remember_sites=False), "http://127.0.0.1:1/").status == "noconn"


def test_a_memory_that_can_t_be_read_is_no_reason_not_to_start(tmp_path: Path) -> None:
    (tmp_path / "fetcher").mkdir()
    (tmp_path / "fetcher" / "sites.json").write_text("{")

    fetcher(tmp_path).close()


def test_the_table_of_sites_is_written_each_minute(tmp_path: Path, clock: Clock) -> None:
    table = tmp_path / "slots.tsv"
    options = FetcherOptions(data=tmp_path, dump_slots=table, **QUICK)
    shown = Fetcher(options, clock, clock.time)
    shown.hold(story("http://a.com/"))
    assert not table.exists()
    clock.sleep(60)
    shown.hold(story("http://b.com/"))

    lines = table.read_text().splitlines()
    assert [line.split("\t")[0] for line in lines] == ["site", "a.com", "b.com"]


@each_row("given", [{"conn_retry_minutes": 60.0}, {"target_concurrency": 0}, {"run_fraction": 0.0},
     {"allow_address": ["x"]}, {"resolve": ["x"]}, {"user_agent": "\n"}])  # fmt: skip
def test_options_that_cannot_work_are_refused(tmp_path: Path, given: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        fetcher(tmp_path, **given)


def test_the_defaults_are_those_of_the_documentation() -> None:
    limits = FetcherOptions().limits(prefetch=32)

    assert (limits.concurrency, limits.min_interval, limits.initial_interval) == (4, 5.0, 5.0)
    assert (limits.throttle_interval, limits.wait, limits.skip, limits.held) == (30, 120, 600, 8)
