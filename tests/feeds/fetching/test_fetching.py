"""Fetching a working feed: the requests, and the attempt."""

import hashlib
from datetime import datetime, timedelta
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from indexer.errors import Requeue
from indexer.feeds.attempt import POSTPONED, WORKING, Attempt, DocumentPart, Hop, Unchanged
from indexer.feeds.fetching.fetching import FeedClient, FeedFetchOptions
from tests.each_row import each_row
from tests.feeds.polls import NOW, client, poll
from tests.feeds.servers import RSS, answer, found, in_turn
from tests.http.fetching.raw import RawServer, serving

MD5 = hashlib.md5(RSS, usedforsecurity=False).hexdigest()
ETAG = 'W/"a b"'
MODIFIED = "Sat, 21 Nov 2026 11:00:00 GMT"
KNOWN: dict[str, Any] = {"etag": ETAG, "last_modified": MODIFIED, "full_fetch_at": NOW}
NOT_MODIFIED = b'HTTP/1.1 304 Not Modified\r\nETag: "new"\r\n\r\n'


def sent(server: RawServer, number: int = -1) -> dict[str, str]:
    """The headers of a request."""
    lines = server.requests[number].decode("latin-1").split("\r\n")[1:]
    return dict(line.split(": ", 1) for line in lines if line)


def test_an_attempt_has_the_document_and_the_facts_of_its_response() -> None:
    head = (
        "Content-Type: text/xml; charset=windows-1251",
        f"ETag: {ETAG}",
        f"Last-Modified: {MODIFIED}",
        "Cache-Control: public, max-age=600",
        "Age: 60",
    )
    with serving(answer("200 Fine", *head)) as server:
        attempt = client().fetch(poll(server.url))

    said = attempt.answer
    assert said is not None
    assert (attempt.status, attempt.started, attempt.parts) == (WORKING, NOW, [RSS])
    assert attempt.pages == [DocumentPart(f"{server.url}/", len(RSS), "windows-1251")]
    assert (said.code, said.reason, said.url) == (200, "Fine", f"{server.url}/")
    assert (said.size, said.md5) == (len(RSS), MD5)
    assert (said.etag, said.last_modified, said.conditional) == (ETAG, MODIFIED, False)
    assert (said.fresh_until, said.retry_at) == (NOW + timedelta(seconds=540), None)
    assert said.seconds > 0
    assert Attempt.load(attempt.dump()) == attempt


@each_row(
    ("interim", "status", "detail"),
    [
        (b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n", WORKING, ""),
        (b"HTTP/1.1 102 Processing\r\n\r\n" * 100, WORKING, ""),
        (b"HTTP/1.1 102 Processing\r\n\r\n" * 101, "connection error", "100 interim answers"),
        (b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", "HTTP 101 Switching", ""),
    ],
)
def test_interim_answers_before_a_document_are_skipped(
    interim: bytes, status: str, detail: str
) -> None:
    with serving(interim + answer("200 OK")) as server:
        attempt = client().fetch(poll(server.url))
    assert (attempt.status, attempt.parts) == (status, [RSS] if status == WORKING else [])
    assert detail in attempt.detail


def test_a_request_names_our_user_agent_and_formats() -> None:
    with serving(answer()) as server:
        client(contact_url="https://example.org/bot").fetch(poll(server.url))

    headers = sent(server)
    assert headers["User-Agent"].endswith("; +https://example.org/bot)")
    assert headers["Accept"].startswith("application/atom+xml,application/rss+xml,")
    assert headers["Accept"].endswith("*/*;q=0.5")
    assert headers["Accept-Encoding"] == "gzip, deflate, br, zstd"
    # Some networks hang otherwise (feeds.md 6.1).
    assert not {"Connection", "If-None-Match", "If-Modified-Since"} & set(headers)


def test_validators_are_sent_unchanged() -> None:
    with serving(NOT_MODIFIED) as server:
        known = poll(server.url, validators_url=f"{server.url}/", **KNOWN)
        attempt = client().fetch(known)

    headers = sent(server)
    assert (headers["If-None-Match"], headers["If-Modified-Since"]) == (ETAG, MODIFIED)
    assert (attempt.status, attempt.unchanged) == (WORKING, Unchanged.NOT_MODIFIED)
    assert attempt.answer is not None
    assert (attempt.answer.conditional, attempt.answer.etag) == (True, '"new"')
    assert (len(server.requests), attempt.parts) == (1, [])


def test_validators_are_sent_only_to_the_url_that_gave_them() -> None:
    with serving(in_turn(found("/b"), answer())) as server:
        moved = poll(f"{server.url}/a", validators_url=f"{server.url}/a", **KNOWN)
        attempt = client().fetch(moved)
        assert "If-None-Match" in sent(server, 0)
        assert "If-None-Match" not in sent(server, 1)
        assert attempt.answer is not None
        assert not attempt.answer.conditional
    with serving(in_turn(found("/b"), NOT_MODIFIED)) as server:
        there = poll(f"{server.url}/a", validators_url=f"{server.url}/b", **KNOWN)
        attempt = client().fetch(there)
        assert "If-None-Match" not in sent(server, 0)
        assert sent(server, 1)["If-None-Match"] == ETAG
        assert attempt.unchanged == Unchanged.NOT_MODIFIED


def test_after_an_unsolicited_304_the_request_is_repeated() -> None:
    with serving(in_turn(NOT_MODIFIED, answer())) as server:
        attempt = client().fetch(poll(server.url))

    assert (attempt.status, attempt.parts) == (WORKING, [RSS])
    assert sent(server)["Cache-Control"] == "no-cache"
    assert len(server.requests) == 2


def test_a_second_unsolicited_304_is_an_error() -> None:
    with serving(NOT_MODIFIED) as server:
        attempt = client().fetch(poll(server.url))

    assert (attempt.status, attempt.unchanged) == ("HTTP 304 Not Modified", "")
    assert len(server.requests) == 2


def test_a_304_of_a_redirect_with_no_validators_is_an_error() -> None:
    with serving(in_turn(found("/b"), NOT_MODIFIED)) as server:
        known = poll(f"{server.url}/a", validators_url=f"{server.url}/a", **KNOWN)
        assert client().fetch(known).status == "HTTP 304 Not Modified"


def test_an_unchanged_document_is_not_sent_to_the_parser() -> None:
    with serving(answer("200 OK", f"ETag: {ETAG}")) as server:
        attempt = client().fetch(poll(server.url, hash=MD5))

    assert (attempt.status, attempt.unchanged) == (WORKING, Unchanged.SAME_HASH)
    assert (attempt.pages, attempt.parts) == ([], [])
    assert attempt.answer is not None
    assert (attempt.answer.md5, attempt.answer.etag) == (MD5, ETAG)


def test_redirects_are_in_the_answer_each_with_its_status() -> None:
    hops = (found("/b", "301 Moved"), found("c", "308 Moved"), found("/d?e=f", "302 Found"))
    with serving(in_turn(*hops, answer())) as server:
        attempt = client().fetch(poll(f"{server.url}/a"))

    assert attempt.answer is not None
    assert attempt.answer.hops == [
        Hop(301, f"{server.url}/b"),
        Hop(308, f"{server.url}/c"),
        Hop(302, f"{server.url}/d?e=f"),
    ]
    assert attempt.answer.url == attempt.pages[0].url == f"{server.url}/d?e=f"


@each_row(
    ("etag", "kept"),
    [
        ('W/"weak"', 'W/"weak"'),
        ("without quotes", "without quotes"),
        ('"caf\u00e9"', '"caf\u00e9"'),
        ('"' + "x" * 4000 + '"', '"' + "x" * 4000 + '"'),
        ('"' + "x" * 9000 + '"', None),
        ('"a\x00b"', None),
        ('"a\x85b"', None),
        (" ", None),
    ],
)
def test_odd_validators_are_kept_if_they_can_be_sent_back(etag: str, kept: str | None) -> None:
    with serving(answer("200 OK", f"ETag: {etag}")) as server:
        attempt = client().fetch(poll(server.url))
        assert attempt.answer is not None
        assert attempt.answer.etag == kept
        given = {**KNOWN, "etag": kept, "last_modified": None}
        client().fetch(poll(server.url, validators_url=server.url, **given))
        assert sent(server).get("If-None-Match") == kept


def test_validators_that_cannot_be_sent_are_left_out() -> None:
    with serving(answer()) as server:
        stored = {**KNOWN, "etag": '"\u4e2d"', "last_modified": "a\r\nX-Evil: b"}
        attempt = client().fetch(poll(server.url, validators_url=server.url, **stored))

    assert attempt.status == WORKING
    assert not {"If-None-Match", "If-Modified-Since", "X-Evil"} & set(sent(server))


@each_row(
    ("status", "value", "until"),
    [
        ("429 Too Many", "14400", timedelta(hours=4)),
        ("503 Busy", "Sun, 22 Nov 2026 12:00:00 GMT", timedelta(days=1)),
        ("429 Too Many", "316800", timedelta(hours=88)),
        ("429 Too Many", "99999999", timedelta(days=30)),
        ("404 Not Found", "60", timedelta(minutes=1)),
        ("429 Too Many", "0", None),
        ("429 Too Many", "-5", None),
        ("429 Too Many", "1.5", None),
        ("429 Too Many", "Fri, 20 Nov 2026 12:00:00 GMT", None),
        ("200 OK", "60", None),
    ],
)
def test_retry_after_and_cache_lifetimes_become_moments(
    status: str, value: str, until: timedelta | None
) -> None:
    with serving(answer(status, f"Retry-After: {value}")) as server:
        said = client().fetch(poll(server.url)).answer

    assert said is not None
    exact = NOW.replace(microsecond=0) if "GMT" in value else NOW
    found = said.retry_at and said.retry_at.replace(microsecond=exact.microsecond)
    assert found == (until and exact + until)


def test_a_redirect_that_asks_to_wait_is_not_followed() -> None:
    with serving(found("/b", "307 Later", "Retry-After: 60")) as server:
        attempt = client().fetch(poll(server.url))

    assert attempt.status == "HTTP 307 Later"
    assert attempt.answer is not None
    assert attempt.answer.retry_at == NOW + timedelta(minutes=1)
    assert len(server.requests) == 1


def index(*urls: str) -> bytes:
    """A sitemap index."""
    locations = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f"<sitemapindex xmlns='http://www.sitemaps.org/'>{locations}</sitemapindex>".encode()


def sitemaps(httpserver: HTTPServer, number: int, size: int = 10) -> bytes:
    """Serve an index with so many sitemaps; return the index."""
    body = index(*(httpserver.url_for(f"/{each}.xml") for each in range(number)))
    httpserver.expect_request("/index.xml").respond_with_data(body, headers={"ETag": ETAG})
    for each in range(number):
        page = f"<urlset>{each}".ljust(size).encode()
        httpserver.expect_request(f"/{each}.xml").respond_with_data(page)
    return body


def test_the_sitemaps_of_an_index_are_fetched(httpserver: HTTPServer) -> None:
    body = sitemaps(httpserver, 2)
    feed = poll(httpserver.url_for("/index.xml"))

    attempt = client().fetch(feed)

    assert attempt.parts == [body, b"<urlset>0 ", b"<urlset>1 "]
    assert [page.url.rpartition("/")[2] for page in attempt.pages] == [
        "index.xml",
        "0.xml",
        "1.xml",
    ]
    assert attempt.answer is not None
    assert attempt.answer.size == sum(map(len, attempt.parts))
    # The index's validators say nothing about changes in its sitemaps.
    assert attempt.answer.etag is None
    again = client().fetch(poll(feed.url, hash=attempt.answer.md5))
    assert (again.unchanged, again.parts) == (Unchanged.SAME_HASH, [])


def test_the_sitemaps_of_an_index_are_limited(httpserver: HTTPServer) -> None:
    body = sitemaps(httpserver, 9, 5000)
    feed = poll(httpserver.url_for("/index.xml"))

    assert len(client(max_sitemaps=3).fetch(feed).parts) == 1 + 3
    assert len(client(max_sitemaps=0).fetch(feed).parts) == 1
    assert len(client(max_html_bytes=len(body) + 12_000).fetch(feed).parts) == 1 + 2


def test_a_missing_sitemap_does_not_affect_the_others(httpserver: HTTPServer) -> None:
    urls = [httpserver.url_for(path) for path in ("/gone.xml", "/there.xml")]
    httpserver.expect_request("/index.xml").respond_with_data(index(*urls, "http://[/"))
    httpserver.expect_request("/gone.xml").respond_with_data("no", status=404)
    httpserver.expect_request("/there.xml").respond_with_data("<urlset>")

    attempt = client().fetch(poll(httpserver.url_for("/index.xml")))

    assert (attempt.status, attempt.parts[1:]) == (WORKING, [b"<urlset>"])


class Asked:
    """Records the visits of an attempt, and blocks some of them."""

    def __init__(self, minded: str = "nothing", until: datetime = NOW) -> None:
        self.urls: list[tuple[str, bool]] = []
        self._minded = minded
        self._until = until

    def __call__(self, url: str, besides: bool) -> datetime | None:
        self.urls.append((url, besides))
        return self._until if self._minded in url else None


def test_every_other_url_is_checked_before_its_visit(httpserver: HTTPServer) -> None:
    sitemaps(httpserver, 1)
    start, end = httpserver.url_for("/a"), httpserver.url_for("/index.xml")
    httpserver.expect_request("/a").respond_with_data(status=302, headers={"Location": end})
    visit = Asked()

    client().fetch(poll(start), visit)

    assert visit.urls == [(end, False), (httpserver.url_for("/0.xml"), True)]


def test_an_attempt_is_postponed_if_a_host_is_blocked() -> None:
    until = NOW + timedelta(hours=4)
    with serving(found("/busy")) as server:
        attempt = client().fetch(poll(server.url), Asked("/busy", until))
        assert (attempt.status, attempt.until) == (POSTPONED, until)
        assert (attempt.answer, len(server.requests)) == (None, 1)


def test_an_attempt_is_postponed_a_while_without_the_database() -> None:
    def no_database(url: str, besides: bool) -> datetime | None:
        raise Requeue("no-database", url)

    with serving(found("/b")) as server:
        attempt = client().fetch(poll(server.url), no_database)
    assert attempt.status == POSTPONED
    assert attempt.until is not None
    assert attempt.until > NOW


def test_a_sitemap_of_a_blocked_host_is_left_out(httpserver: HTTPServer) -> None:
    sitemaps(httpserver, 2)

    attempt = client().fetch(poll(httpserver.url_for("/index.xml")), Asked("/0.xml"))

    assert (attempt.status, attempt.parts[1:]) == (WORKING, [b"<urlset>1 "])


def test_every_exception_has_a_status(httpserver: HTTPServer) -> None:
    def bug(url: str, besides: bool) -> datetime | None:
        raise ZeroDivisionError("two\nlines " + "x" * 999)

    httpserver.expect_request("/a").respond_with_data(status=302, headers={"Location": "/b"})
    attempt = client().fetch(poll(httpserver.url_for("/a")), bug)

    assert attempt.status == "caught exception"
    assert attempt.detail.startswith("ZeroDivisionError('two\\nlines xxx")
    assert len(attempt.detail) <= 300


def test_one_deadline_holds_for_all_requests(httpserver: HTTPServer) -> None:
    seconds = 0.0
    asked: list[str] = []

    def slow(request: Request) -> Response:
        nonlocal seconds
        asked.append(request.path)
        seconds = 200.0
        return Response(b"<urlset>")

    options = FeedFetchOptions(allow_address=["127.0.0.0/8"], total_timeout=180.0)
    timed = FeedClient(options, clock=lambda: seconds, now=lambda: NOW)
    paths = [f"/{each}.xml" for each in range(3)]
    body = index(*map(httpserver.url_for, paths))
    httpserver.expect_request("/index.xml").respond_with_data(body)
    for path in paths:
        httpserver.expect_request(path).respond_with_handler(slow)

    attempt = timed.fetch(poll(httpserver.url_for("/index.xml")))

    assert (attempt.status, attempt.parts[0], asked) == (WORKING, body, ["/0.xml"])


def test_options_have_the_names_that_operators_know() -> None:
    options = FeedFetchOptions.of(
        {
            "RSS_FETCH_TIMEOUT_SECS": "7",
            "TASK_TIMEOUT_SECONDS": "70",
            "HTTP_CONDITIONAL_FETCH": "0",
            "VERIFY_CERTIFICATES": "false",
        }
    )
    assert (options.connect_timeout, options.read_timeout, options.total_timeout) == (7, 7, 70)
    assert not options.http_conditional_fetch
    assert options.checked.insecure
    usual = FeedFetchOptions()
    assert (usual.read_timeout, usual.total_timeout, usual.max_redirects) == (30, 180, 30)
    assert (usual.max_html_bytes, usual.checked.insecure) == (20_000_000, False)
