"""Tests of robots.txt (RFC 9309)."""

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from indexer.errors import Discard, Retry
from indexer.http import robots as module
from indexer.http.robots import MAX_BYTES, Robots
from tests.clock import Clock
from tests.http.fetching.clients import client
from tests.http.fetching.raw import serving

NOTHING = "User-agent: *\nDisallow: /\n"


@pytest.fixture
def robots(clock: Clock) -> Robots:
    return Robots(client(), "story-indexer", clock=clock)


def allowed(robots: Robots, url: str) -> bool:
    try:
        robots.check(url)
    except Discard as discard:
        return discard.status != "robots"
    return True


FILES = [
    ("", True),
    ("User-agent: *\nDisallow:\n", True),
    (NOTHING, False),
    ("\ufeffUser-agent: *\r\nDisallow: /news/ # not for robots\r\n", False),
    ("User-agent: *\rDisallow: /news/\r", False),
    ("user-AGENT: *\nDISALLOW: /news/story.html", False),
    ("User-agent: *\nDisallow: /news/\nAllow: /news/story", True),
    ("User-agent: *\nDisallow: /*.html$\n", False),
    ("User-agent: *\nDisallow: /*.htm$\n", True),
    ("User-agent: *\nDisallow: /NEWS/\n", True),
    ("User-agent: *\nDisallow: /n%65ws/\n", False),
    (NOTHING + "\nUser-agent: Story-Indexer\nDisallow: /sport/\n", True),
    ("User-agent: *\nDisallow:\n\nUser-agent: story-indexer/0.1\nDisallow: /news\n", False),
    ("User-agent: otherbot\nUser-agent: story-indexer\nDisallow: /\n", False),
    ("User-agent: story-indexer\nUser-agent: otherbot\nDisallow: /\n", False),
    ("User-agent: story\nDisallow: /\n", True),
    ("User-agent: story-indexer-image\nDisallow: /\n", True),
    ("User-agent: otherbot\nDisallow: /\n", True),
    ("User-agent: *\nSitemap: https://a/b\nUser-agent: otherbot\nDisallow: /\n", False),
    ("Disallow: /\n", True),
    ("<html><body>Disallow: /</body></html>", True),
    ("User-agent: *\nNo-such-rule: 1\nDisallow: /news/\n\x00\xff", False),
]


@pytest.mark.parametrize(("text", "may"), FILES)
def test_a_page_may_be_fetched_if_the_rules_for_our_product_allow_it(
    httpserver: HTTPServer, robots: Robots, text: str, may: bool
) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data(text.encode())

    assert allowed(robots, httpserver.url_for("/news/story.html")) is may


def test_a_page_without_permission_is_dropped_with_the_reason(
    httpserver: HTTPServer, robots: Robots
) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data(NOTHING)

    with pytest.raises(Discard, match=r"robots: disallowed by http://localhost:\d+/robots\.txt"):
        robots.check(httpserver.url_for("/a"))


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
def test_no_robots_txt_allows_all(httpserver: HTTPServer, robots: Robots, status: int) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data(NOTHING, status=status)

    assert allowed(robots, httpserver.url_for("/a"))


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_robots_txt_that_fails_allows_nothing_until_it_is_asked_again(
    httpserver: HTTPServer, robots: Robots, clock: Clock, status: int
) -> None:
    httpserver.expect_ordered_request("/robots.txt").respond_with_data("", status=status)
    httpserver.expect_ordered_request("/robots.txt").respond_with_data("")
    url = httpserver.url_for("/a")

    for _ in range(3):
        with pytest.raises(Retry, match=f"robots-unreachable: .*HTTP {status}") as later:
            robots.check(url)
        assert later.value.drop
    assert len(httpserver.log) == 1
    clock.sleep(600)
    assert allowed(robots, url)


def test_retry_after_of_a_robots_txt_is_obeyed(
    httpserver: HTTPServer, robots: Robots, clock: Clock
) -> None:
    httpserver.expect_ordered_request("/robots.txt").respond_with_data(
        "", status=503, headers={"Retry-After": "5"}
    )
    httpserver.expect_ordered_request("/robots.txt").respond_with_data("")

    with pytest.raises(Retry):
        robots.check(httpserver.url_for("/a"))
    clock.sleep(5)
    assert allowed(robots, httpserver.url_for("/a"))


@pytest.mark.parametrize(
    ("answer", "status"), [(b"", "noconn"), (b"SSH-2.0\r\n", "robots-unreachable")]
)
def test_a_host_with_a_broken_answer_allows_no_page(
    robots: Robots, answer: bytes, status: str
) -> None:
    with serving(answer) as server:
        for _ in range(2):
            with pytest.raises(Retry, match=f"{status}: .*/robots.txt: ") as later:
                robots.check(f"{server.url}/a")
            assert later.value.drop
        assert len(server.requests) == 1
        robots.check_known(f"{server.url}/a")


def test_an_origin_is_asked_once_a_day(
    httpserver: HTTPServer, robots: Robots, clock: Clock
) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data("")
    for _ in range(3):
        robots.check(httpserver.url_for("/a"))
    clock.sleep(86_399)
    robots.check(httpserver.url_for("/b"))
    assert len(httpserver.log) == 1
    clock.sleep(1)
    robots.check(httpserver.url_for("/a"))
    assert len(httpserver.log) == 2


def test_each_origin_has_rules_of_its_own(robots: Robots) -> None:
    answer = "HTTP/1.1 200 OK\r\n\r\n"
    with serving(answer.encode()) as one, serving((answer + NOTHING).encode()) as other:
        assert allowed(robots, f"{one.url}/a")
        assert not allowed(robots, f"{other.url}/a")


def test_redirects_are_followed_to_other_hosts_too(robots: Robots) -> None:
    with serving(b"HTTP/1.1 200 OK\r\n\r\n" + NOTHING.encode()) as other:
        to = f"HTTP/1.1 301 Moved\r\nLocation: {other.url}/rules.txt\r\n\r\n".encode()
        with serving(to) as server:
            assert not allowed(robots, f"{server.url}/a")


@pytest.mark.parametrize(
    "location", ["/robots.txt", "/x{}", "ftp://example.com/", "http://169.254.169.254/"]
)
def test_redirects_to_nowhere_are_no_rules(
    httpserver: HTTPServer, robots: Robots, location: str
) -> None:
    def on(request: Request) -> Response:
        return Response(status=302, headers={"Location": location.format(len(httpserver.log))})

    for number in ("robots.txt", *(f"x{number}" for number in range(9))):
        httpserver.expect_request(f"/{number}").respond_with_handler(on)

    assert allowed(robots, httpserver.url_for("/a"))
    assert len(httpserver.log) <= 6


def test_a_long_file_is_read_as_far_as_the_standard_says(
    httpserver: HTTPServer, robots: Robots
) -> None:
    start = "User-agent: *\nDisallow: /early\n"
    text = start + "#" * (MAX_BYTES - len(start)) + "\nDisallow: /late\n" + "#" * 1_000_000
    httpserver.expect_request("/robots.txt").respond_with_data(text)

    assert not allowed(robots, httpserver.url_for("/early"))
    assert allowed(robots, httpserver.url_for("/late"))


def test_excepted_domains_get_no_request_for_robots_txt(httpserver: HTTPServer) -> None:
    robots = Robots(client(resolve=["*.test=127.0.0.1"]), "story-indexer", ["Friend.test"])

    assert robots.check("http://www.friend.test/a") is None
    assert robots.check("http://friend.test./a") is None
    with pytest.raises(Retry):
        robots.check("http://notfriend.test:1/a")
    assert not httpserver.log


def test_a_crawl_delay_is_returned(httpserver: HTTPServer, robots: Robots) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data(
        "User-agent: *\nCrawl-delay: 7.5\nDisallow: /private"
    )

    assert robots.check(httpserver.url_for("/a")) == 7.5


def test_the_observer_is_called_for_each_request(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data("")
    hosts: list[str] = []
    robots = Robots(client(), "story-indexer", asked=hosts.append)
    for _ in range(3):
        robots.check(httpserver.url_for("/a"))

    assert hosts == ["localhost"]


def test_known_rules_are_checked_without_a_request(
    httpserver: HTTPServer, robots: Robots, clock: Clock
) -> None:
    url = httpserver.url_for("/a")
    httpserver.expect_request("/robots.txt").respond_with_data(NOTHING)
    robots.check_known(url)
    assert not httpserver.log
    assert not allowed(robots, url)
    with pytest.raises(Discard):
        robots.check_known(url)
    clock.sleep(86_400)
    robots.check_known(url)
    assert len(httpserver.log) == 1


def test_the_number_of_origins_and_the_size_of_their_rules_are_bounded(
    httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_KEPT_BYTES", 100)
    httpserver.expect_request("/robots.txt").respond_with_data(NOTHING)
    robots = Robots(client(resolve=["*.test=127.0.0.1"]), "story-indexer")
    urls = [f"http://{number}.test:{httpserver.port}/a" for number in range(9)]
    for url in (*urls, urls[8], urls[0]):
        assert not allowed(robots, url)

    assert len(httpserver.log) == 10
