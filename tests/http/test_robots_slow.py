"""Robots.txt files with many threads, random text and many rules."""

import threading
import time
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from indexer.http.robots import Robots, groups_for
from tests.http.fetching.clients import client
from tests.http.test_robots import NOTHING, allowed


def test_many_threads_request_one_robots_txt(httpserver: HTTPServer) -> None:
    def slow(request: Request) -> Response:
        time.sleep(0.1)
        return Response(NOTHING)

    httpserver.expect_request("/robots.txt").respond_with_handler(slow)
    robots, answers = Robots(client(), "story-indexer"), list[bool]()
    ask: Callable[[], None] = lambda: answers.append(allowed(robots, httpserver.url_for("/a")))  # noqa: E731
    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == [False] * 8
    assert len(httpserver.log) == 1


def test_a_file_of_thousands_of_robots_and_rules_costs_little() -> None:
    agents = "".join(f"User-agent: b{number}\n" for number in range(15_000))
    rules = "".join(f"Disallow: /{number}\n" for number in range(15_000))
    started = time.process_time()

    assert groups_for(agents + rules, "story-indexer") == ""
    assert time.process_time() - started < 1.0


@given(st.text())
def test_any_text_has_rules_or_none(text: str) -> None:
    groups_for(text, "story-indexer")
