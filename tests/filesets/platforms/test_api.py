"""Calls to APIs: tries, waits as hosts ask for, pages; no host is asked before it wants to be."""

import re
from typing import Any

import pytest
from pydantic import SecretStr
from pytest_httpserver import HTTPServer
from werkzeug import Request as Received
from werkzeug import Response

from indexer.errors import AddressRefused, BadResponse, FilesetError
from indexer.filesets.platform_options import PlatformOptions
from indexer.filesets.platforms.api import PlatformAPI
from tests.each_row import each_row
from tests.filesets.platforms.imitation import Imitation, InTurn
from tests.http.fetching.clients import client

URL = "https://api.example.org/v1/a"
NOW = 1_768_478_400.0  # the start of the tests' clock
GOOD = {"fine": True}


LIMIT: tuple[int, dict[str, str], dict[str, str]] = (429, {"retry-after": "7"}, {})


@each_row(
    ("answers", "slept"),
    (
        ([LIMIT, GOOD], [7.0]),
        ([(429, {"x-ratelimit-reset": str(int(NOW) + 30)}, {}), GOOD], [30.0]),
        ([(403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "20"}, {}), GOOD], [20.0]),
        ([(503, {"retry-after": "11"}, {}), GOOD], [11.0]),
        ([LIMIT, LIMIT, GOOD], [7.0, 7.0]),
    ),
)
def test_a_limited_call_is_repeated_when_the_host_allows_it(
    answers: list[Any], slept: list[float]
) -> None:
    imitation = Imitation({URL: InTurn(answers)})
    assert imitation.api.get(URL)["fine"].is_true
    assert imitation.slept == pytest.approx(slept)


@each_row(
    "failure",
    (
        500,
        502,
        504,
        503,
        429,
        BadResponse("cut off"),
        (202, {"x-amzn-waf-action": "challenge"}, b""),
    ),
)
def test_a_failure_that_may_pass_is_repeated_after_a_pause(failure: Any) -> None:
    imitation = Imitation({URL: InTurn([failure, failure, GOOD])})
    assert imitation.api.get(URL)["fine"].is_true
    first, second = imitation.slept
    assert 0.5 <= first <= 1.5
    assert 1.0 <= second <= 3.0


@each_row(("failure", "calls"), ((500, 5), (429, 5), (404, 1), (410, 1), (400, 1), (b"no JSON", 1)))
def test_calls_are_bounded(failure: Any, calls: int) -> None:
    imitation = Imitation({URL: failure})
    with pytest.raises(FilesetError):
        imitation.api.get(URL)
    assert len(imitation.asked) == calls


def test_a_host_without_such_an_api_is_asked_twice() -> None:
    imitation = Imitation({URL: 500})
    assert imitation.api.found(URL) is None
    assert len(imitation.asked) == 2


def test_an_address_that_is_refused_is_not_asked_again() -> None:
    imitation = Imitation({URL: AddressRefused("a private address")})
    with pytest.raises(FilesetError, match="platform-error: a private address"):
        imitation.api.get(URL)
    assert len(imitation.asked) == 1


def test_no_call_is_made_before_the_reset_of_a_host() -> None:
    spent = (200, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "25"}, GOOD)
    imitation = Imitation({URL: spent, "https://other.example.org/": GOOD})
    imitation.api.get(URL)
    imitation.api.get("https://other.example.org/")
    assert imitation.slept == []
    imitation.api.get(URL)
    assert imitation.slept == pytest.approx([25.0])


def test_a_wait_of_hours_is_a_status_and_no_call() -> None:
    imitation = Imitation({URL: (429, {"retry-after": "3600"}, {})})
    for _ in range(2):
        with pytest.raises(FilesetError, match=r"platform-rate-limited: .*3600 seconds"):
            imitation.api.get(URL)
    assert len(imitation.asked) == 1
    assert imitation.slept == []


def test_a_server_that_fails_for_hours_is_an_error_and_no_limit() -> None:
    imitation = Imitation({URL: (503, {"retry-after": "3600"}, {})})
    with pytest.raises(FilesetError, match=r"platform-error: .*3600 seconds") as raised:
        imitation.api.get(URL)
    assert raised.value.wait == 3600.0
    assert len(imitation.asked) == 1


def test_our_own_pauses_are_no_limit_of_the_host() -> None:
    imitation = Imitation({URL: 500}, api_wait=0.1)
    with pytest.raises(FilesetError, match=r"platform-error: .*HTTP 500"):
        imitation.api.get(URL)
    assert len(imitation.asked) == 5


def test_pages_end_with_one_that_is_not_full() -> None:
    def page(number: int) -> str:
        return f"{URL}?page={number}&page_size=2&per_page=2"

    imitation = Imitation({page(1): [1, 2], page(2): [3]})
    assert [each.value for each in imitation.api.pages(URL, 2)] == [1, 2, 3]


def test_pages_that_link_in_a_circle_end() -> None:
    imitation = Imitation({URL: {"next": f"{URL}2"}, f"{URL}2": {"next": URL}})
    found = list(imitation.api.linked(URL, lambda page: page["next"].text))
    assert len(found) == 2


def test_a_manifest_that_never_ends_is_cut() -> None:
    pages = {f"{URL}?page={at}&page_size=2&per_page=2": [1, 2] for at in range(1, 99)}
    imitation = Imitation(pages, max_manifest=10)
    assert len(list(imitation.api.pages(URL, 2))) == 12


def test_calls_over_http_follow_redirects_are_recorded_and_keep_the_token(
    httpserver: HTTPServer,
) -> None:
    headers: dict[str, Any] = {}

    def answer(request: Received) -> Response:
        headers[request.path] = request.headers.get("Authorization")
        if request.path == "/gh/old":
            return Response(status=302, headers={"location": "/gh/new"})
        return Response('{"fine": true}', 404 if request.path == "/gh/none" else 200)

    httpserver.expect_request(re.compile(".*")).respond_with_handler(answer)
    recorded: list[str] = []
    here, other = (f"http://{host}:{httpserver.port}" for host in ("localhost", "127.0.0.1"))
    options = PlatformOptions(github_api_url=f"{here}/gh", github_token=SecretStr("secret"))
    with client() as http:
        api = PlatformAPI(http.ask, options, record=lambda each: recorded.append(each.url))
        assert api.get(f"{here}/gh/old")["fine"].is_true
        with pytest.raises(FilesetError, match="platform-404"):
            api.get(f"{here}/gh/none")
        api.get(f"{other}/elsewhere")
    paths = [each.removeprefix(here) for each in recorded]
    assert paths[:3] == ["/gh/old", "/gh/new", "/gh/none"]
    assert headers["/gh/old"] == headers["/gh/new"] == "Bearer secret"
    assert headers["/elsewhere"] is None
