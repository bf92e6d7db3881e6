"""Turns of hosts: no request before the time that a host has named, whatever thread asks."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request as Received
from werkzeug import Response as Answer

from indexer.errors import FilesetError
from indexer.filesets.host_turns import HostTurns, reset_in
from indexer.filesets.polite_client import PoliteClient
from indexer.http.fetching import FetchOptions, Request, Response
from tests.clock import Clock
from tests.each_row import each_row
from tests.patience import PATIENCE

URL = "https://api.example.org/v1/a"
NOW = 1_768_478_400.0  # the start of the tests' clock


@each_row(
    ("headers", "seconds"),
    (
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "Thu, 15 Jan 2026 12:00:09 GMT"}, 9.0),
        ({"retry-after": "soon"}, None),
        ({"x-ratelimit-reset": str(int(NOW) + 30)}, 30.0),
        ({"x-ratelimit-reset": "30"}, 30.0),
        ({"ratelimit-reset": str(int(NOW) + 40)}, 40.0),
        ({"ratelimit-reset": "40"}, 40.0),
        ({"ratelimit-reset": str(int(NOW) - 5)}, 0.0),
        ({"ratelimit-reset": "later"}, None),
        ({"retry-after": "3", "x-ratelimit-reset": "50"}, 3.0),
    ),
)
def test_the_end_of_a_wait_is_read_in_each_form(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert reset_in(headers, NOW) == seconds


class Turns:
    """Turns on a clock that sleeps."""

    def __init__(self, longest: float = 120.0) -> None:
        self.clock = Clock()
        self.slept: list[float] = []
        self.turns = HostTurns(longest, clock=self.clock, now=self.clock.utc, sleep=self.sleep)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.clock.sleep(seconds)

    def ask(self, url: str, status: int = 200, **headers: str) -> None:
        visit = self.turns.wait(url)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.turns.answered(visit, Response(url, status, named))


@each_row(
    ("status", "headers", "expected"),
    (
        (429, {"retry_after": "3600"}, "platform-rate-limited"),
        (403, {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "3600"}, "platform-rate-limited"),
        (200, {"ratelimit_remaining": "0", "ratelimit_reset": "3600"}, "platform-rate-limited"),
        (503, {"retry_after": "3600"}, "platform-error"),
    ),
)
def test_a_wait_that_is_too_long_is_a_status_with_the_time(
    status: int, headers: dict[str, str], expected: str
) -> None:
    given = Turns()
    given.ask(URL, status, **headers)
    with pytest.raises(FilesetError, match=expected) as raised:
        given.turns.wait(URL)
    assert raised.value.wait == pytest.approx(3600.0)
    assert given.slept == []


def test_a_limit_without_a_time_is_waited_for_longer_each_time_and_forgotten() -> None:
    given = Turns()
    for status in (429, 429, 429, 200, 200, 200, 200, 200):
        given.ask(URL, status)
        given.clock.sleep(0.1)
    first, second, third, *_, last = given.slept
    assert first < second < third
    assert last < third


def test_a_host_that_allows_one_request_a_second_gets_no_more() -> None:
    given = Turns()
    for _ in range(3):
        given.ask("https://api.figshare.com/v2/articles/1")
        given.ask("https://figshare.com/articles/1")
    assert given.slept == pytest.approx([1.0, 1.0])


def test_threads_share_the_turns() -> None:
    slept, lock = list[float](), threading.Lock()

    def sleep(seconds: float) -> None:
        with lock:
            slept.append(seconds)

    turns = HostTurns(120.0, clock=Clock(), sleep=sleep)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: turns.wait("https://api.figshare.com/v2/articles"), range(8)))
    assert sorted(slept) == pytest.approx([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])


def test_the_client_heeds_the_limit_of_one_answer_for_all_requests_and_redirects(
    httpserver: HTTPServer,
) -> None:
    given = Turns()
    here = httpserver.url_for("").rstrip("/")
    limited: dict[str, Any] = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "25"}

    def answer(request: Received) -> Answer:
        if request.path == "/away":
            return Answer(status=302, headers={"location": f"{here}/file"})
        return Answer("data", headers=limited if request.path == "/api" else {})

    for path in ("/api", "/file", "/away"):
        httpserver.expect_request(path).respond_with_handler(answer)
    options = FetchOptions(allow_address=["127.0.0.0/8"], total_timeout=PATIENCE)
    with PoliteClient(options, given.turns) as client:
        client.ask(Request(url=f"{here}/api"))
        assert given.slept == []
        with client.stream(Request(url=f"{here}/file")) as stream:
            assert b"".join(stream.encoded()) == b"data"
        assert given.slept == [25.0]
        client.ask(Request(url=f"{here}/api"))
        client.ask(Request(url=f"{here}/away"))
    assert given.slept == [25.0, 25.0]
