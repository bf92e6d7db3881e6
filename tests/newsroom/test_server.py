"""newsroom/server.py: real HTTP, and the realities of it."""

import gzip
import http.client
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from urllib.parse import urlsplit

import pytest

from newsroom import server
from newsroom.__main__ import _introduction
from newsroom.expected import Document, expected
from newsroom.reply import Reply
from newsroom.server import Newsroom
from newsroom.site import Site, load_site
from tests.each_row import each_row
from tests.patience import PATIENCE

HERALD = "http://harbour-herald.example"
OASIS = "http://sawt-alwaha.example"
TAKES_GZIP = {"Accept-Encoding": "gzip, deflate"}


@pytest.fixture
def room() -> Iterator[Newsroom]:
    with Newsroom() as room:
        yield room


class Answer:
    """A response, read to its end."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()


def get(
    room: Newsroom, url: str, headers: dict[str, str] | None = None, method: str = "GET"
) -> Answer:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection("127.0.0.1", room.port, timeout=PATIENCE)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request(method, target, headers={"Host": parts.netloc, **(headers or {})})
        return Answer(connection.getresponse())
    finally:
        connection.close()


def discarded(status: str) -> str:
    return next(link for link, why in expected().discarded if why == status)


@pytest.fixture(scope="module")
def shared() -> Iterator[Newsroom]:
    """One for all tests that leave it as it was, without the slow host's delay."""
    site = load_site()
    replies = {url: replace(reply, delay=0.0) for url, reply in site.replies.items()}
    with Newsroom(site=Site(site.names, site.inputs, replies)) as room:
        yield room


@each_row("document", expected().documents)
def test_every_story_is_served_in_its_encoding(shared: Newsroom, document: Document) -> None:
    answer = get(shared, document.url)
    if answer.status in {429, 503}:
        answer = get(shared, document.url)
    assert answer.status == 200
    assert document.contains[0] in unescape(answer.body.decode(document.encoding))
    assert answer.headers["Content-Type"].startswith("text/html")


@each_row("url", load_site().inputs)
def test_every_input_is_served(shared: Newsroom, url: str) -> None:
    answer = get(shared, url)
    assert answer.status == 200
    assert answer.body


@each_row(
    ("expectation", "status"),
    [
        ("http-404", 404),
        ("http-4xx", 410),
        ("too-short", 200),
        ("homepage", 200),
        ("maxredir", 302),
        ("bad-host", 302),
    ],
)
def test_what_is_no_story_gets_the_answer_that_makes_it_so(
    shared: Newsroom, expectation: str, status: int
) -> None:
    assert get(shared, discarded(expectation)).status == status


def test_redirects_lead_step_by_step_to_the_page(shared: Newsroom) -> None:
    url = "http://faro-del-valle.example/n/88213"
    statuses = []
    while (answer := get(shared, url)).status != 200:
        statuses.append(answer.status)
        url = answer.headers["Location"]
    assert statuses == [301, 302, 307]
    assert "Peñaserena" in answer.body.decode("windows-1252")


def test_a_redirect_may_lead_to_another_host(shared: Newsroom) -> None:
    answer = get(shared, "http://flussblatt.example/extern/shikeng-2026-09")
    assert answer.headers["Location"] == "http://hupan-wanbao.example/2026/0921/t90177.htm"


def test_a_redirect_loop_comes_back_to_its_start(shared: Newsroom) -> None:
    start = discarded("maxredir")
    other = get(shared, start).headers["Location"]
    assert get(shared, other).headers["Location"] == start


def test_too_many_requests_asks_for_a_second_of_patience_and_then_serves() -> None:
    url = next(u for u, r in load_site().replies.items() if r.first and r.first.status == 429)
    for _ in range(2):
        # Each newsroom starts afresh: nothing is left of the one before.
        with Newsroom() as room:
            first, second = get(room, url), get(room, url)
        assert (first.status, first.headers["Retry-After"], second.status) == (429, "1", 200)


def test_an_error_of_the_moment_is_gone_at_the_second_request(room: Newsroom) -> None:
    url = f"{HERALD}/2025/03/orchard-of-forgotten-pears"
    assert [get(room, url).status for _ in range(3)] == [503, 200, 200]


def test_gzip_is_for_those_who_accept_it(shared: Newsroom) -> None:
    url = f"{OASIS}/articles/1041/qanat-alwaha"
    packed, plain = get(shared, url, TAKES_GZIP), get(shared, url)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(packed.body) == plain.body
    assert "Content-Encoding" not in plain.headers


def test_the_oversized_page_is_a_stream_of_unannounced_length(shared: Newsroom) -> None:
    answer = get(shared, discarded("oversized"))
    assert "Content-Length" not in answer.headers
    assert len(answer.body) == 10_500_000


def test_the_empty_page_is_empty_and_the_pdf_is_none(shared: Newsroom) -> None:
    assert get(shared, discarded("no-html")).body == b""
    pdf = get(shared, discarded("not-text"))
    assert pdf.headers["Content-Type"] == "application/pdf"
    assert pdf.body.startswith(b"%PDF-")


def test_the_private_address_is_told_in_the_redirect(shared: Newsroom) -> None:
    answer = get(shared, discarded("bad-host"))
    assert answer.headers["Location"].startswith("http://169.254.169.254/")


def test_robots_txt_disallows_the_page_for_members(shared: Newsroom) -> None:
    rules = get(shared, f"{HERALD}/robots.txt").body.decode()
    assert "Disallow: /members/" in rules
    assert urlsplit(discarded("robots")).path.startswith("/members/")
    assert get(shared, "http://vestnik-ozera.example/robots.txt").status == 404


def test_parameters_of_campaigns_are_ignored_and_those_of_pages_are_not(shared: Newsroom) -> None:
    page = f"{HERALD}/2024/12/lighthouse-log-behind-the-stove"
    assert get(shared, f"{page}?utm_source=faro&utm_medium=feed").status == 200
    assert get(shared, f"{HERALD}/?p=2041").status == 301


def test_the_slow_host_takes_its_time(room: Newsroom) -> None:
    started = time.monotonic()
    get(room, "http://shiokaze-tsushin.example/kiji/eki_no_tokei.html")
    assert time.monotonic() - started >= 0.3


@pytest.mark.parametrize(
    ("url", "status"),
    [(f"{HERALD}/nowhere", 404), ("http://else.example/", 421), (f"{OASIS}/feed/", 404)],
)
def test_what_is_not_there_is_an_error(shared: Newsroom, url: str, status: int) -> None:
    assert get(shared, url).status == status


def test_head_tells_the_length_and_sends_nothing(shared: Newsroom) -> None:
    answer = get(shared, f"{HERALD}/", method="HEAD")
    assert int(answer.headers["Content-Length"]) > 1000
    assert answer.body == b""


def test_a_connection_is_kept_for_the_next_request(shared: Newsroom) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", shared.port, timeout=PATIENCE)
    sockets = set()
    for path in ("/", "/feed/", "/nowhere"):
        connection.request("GET", path, headers={"Host": "harbour-herald.example"})
        connection.getresponse().read()
        sockets.add(connection.sock)
    connection.close()
    assert len(sockets) == 1
    assert None not in sockets


def test_addresses_are_on_loopback_and_urls_have_no_port(shared: Newsroom) -> None:
    assert f"harbour-herald.example=127.0.0.1:{shared.port}" in shared.addresses
    assert len(shared.addresses) == len(shared.inputs) == 8
    assert all(urlsplit(url).port is None for url in shared.inputs)


def test_it_listens_on_one_loopback_address_only(shared: Newsroom) -> None:
    with pytest.raises(OSError):  # noqa: PT011 - refused, or no such address: systems differ
        socket.create_connection(("127.0.0.2", shared.port), timeout=1)


def test_closing_waits_for_nobody_and_leaves_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    # A close that waited for a connection or an answer would hang.
    monkeypatch.setattr(server._Handler, "timeout", 2 * PATIENCE)
    before = set(threading.enumerate())
    url = "http://slow.example/"
    site = Site(["slow.example"], [], {url: Reply(b"late", delay=2 * PATIENCE)})
    room = Newsroom(site=site)
    room.open()
    idle = socket.create_connection(("127.0.0.1", room.port))
    busy = socket.create_connection(("127.0.0.1", room.port))
    busy.sendall(b"GET / HTTP/1.1\r\nHost: slow.example\r\n\r\n")
    room.close()
    room.close()
    assert set(threading.enumerate()) <= before
    idle.close()
    busy.close()


def test_a_connection_accepted_while_it_closes_is_hung_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    accepted, hung_up = threading.Event(), threading.Event()
    setup = server._Handler.setup
    hang_up = server._Server.hang_up

    def late_setup(handler: server._Handler) -> None:
        accepted.set()
        assert hung_up.wait(PATIENCE)
        setup(handler)

    def noted_hang_up(of: server._Server) -> None:
        hang_up(of)
        hung_up.set()

    monkeypatch.setattr(server._Handler, "timeout", 2 * PATIENCE)
    monkeypatch.setattr(server._Handler, "setup", late_setup)
    monkeypatch.setattr(server._Server, "hang_up", noted_hang_up)
    room = Newsroom(site=Site(["slow.example"], [], {}))
    room.open()
    with socket.create_connection(("127.0.0.1", room.port), timeout=PATIENCE) as idle:
        assert accepted.wait(PATIENCE)
        room.close()
        assert idle.recv(1) == b""


def test_a_closed_newsroom_has_no_port() -> None:
    with pytest.raises(RuntimeError, match="closed"):
        _ = Newsroom().port


def test_nonsense_on_the_wire_disturbs_nobody(
    shared: Newsroom, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_connection(("127.0.0.1", shared.port)) as client:
        client.sendall(b"\x00\xff\r\n\r\n")
        client.recv(1000)
    assert get(shared, f"{HERALD}/").status == 200
    assert capfd.readouterr().err == ""


def test_the_introduction_tells_where_to_connect(shared: Newsroom) -> None:
    text = _introduction(shared)
    assert f"--connect-to ::127.0.0.1:{shared.port}" in text
    assert all(url in text for url in shared.inputs)
