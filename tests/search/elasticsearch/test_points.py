"""Pages of hits: how many each has, and what a server without room for one does."""

import json
from itertools import count
from typing import Any

import pytest
from elasticsearch import ApiError

from indexer.search.elasticsearch import points
from indexer.search.elasticsearch.points import MAX_PAGE, hits
from tests.each_row import each_row
from tests.search.stub import Reply, Stub, busy

OPENED: Reply = (200, {"id": "a point"})
CLOSED: Reply = (200, {})
numbers = count()


def page(hits: int, characters: int = 1) -> Reply:
    """Return a page of hits with texts of that length."""
    found = [
        {"_id": "a", "_source": {"text": "x" * (characters - 4)}, "sort": [next(numbers)]}
        for _ in range(hits)
    ]
    return 200, {"hits": {"hits": found}}


def read(stub: Stub, **wanted: Any) -> int:
    """Read all hits; return their number."""
    found = hits(stub.client(), "stories", {"query": {}}, stub.patience(), **wanted)
    return sum(1 for _ in found)


def sizes(stub: Stub) -> list[int]:
    """Return the sizes of the requested pages."""
    return [json.loads(body)["size"] for target, body in stub.requests if "_search" in target]


@pytest.fixture(autouse=True)
def short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let 10,000 characters fit into a page."""
    monkeypatch.setattr(points, "PAGE_CHARACTERS", 10_000)


@each_row(
    ("wanted", "pages", "asked"),
    [
        ({}, [(50, 5), (200, 5), (800, 5), (10, 5)], [50, 200, 800, MAX_PAGE]),
        ({}, [(50, 100), (100, 100), (0, 5)], [50, 100, 100]),
        ({}, [(50, 5), (200, 1000), (10, 1000), (9, 5)], [50, 200, 10, 10]),
        ({}, [(50, 20_000), (1, 5), (4, 5), (0, 5)], [50, 1, 4, 16]),
        ({"limit": 60}, [(50, 5), (10, 5)], [50, 10]),
        ({"limit": 20}, [(20, 5)], [20]),
        ({"size": 30}, [(30, 5), (30, 1000), (1, 5)], [30, 30, 30]),
    ],
)
def test_a_page_has_as_many_hits_as_fit_by_the_page_before(
    wanted: dict[str, int], pages: list[tuple[int, int]], asked: list[int]
) -> None:
    stub = Stub(OPENED, *(page(*each) for each in pages), CLOSED)
    assert read(stub, **wanted) == sum(hits for hits, _ in pages)
    assert sizes(stub) == asked


def test_a_large_page_that_is_refused_is_asked_for_in_small_ones() -> None:
    refused = [busy()] * 4  # the client's own retries
    stub = Stub(OPENED, page(50), *refused, page(50), page(10), CLOSED)
    assert read(stub) == 110
    assert sizes(stub) == [50, *[200] * 4, 50, 200]
    after = [json.loads(body).get("search_after") for target, body in stub.requests[1:-1]]
    assert after[1] == after[5] != after[6]


def test_a_small_page_that_is_refused_is_an_error_at_the_end() -> None:
    stub = Stub(OPENED, *[busy()] * 99)
    stub.replies[-1] = CLOSED
    with pytest.raises(ApiError):
        read(stub)
    assert set(sizes(stub)) == {50}
