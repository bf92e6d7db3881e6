"""The texts of Elasticsearch's errors, and retries with a busy server."""

import pytest
from elasticsearch import ApiError, Elasticsearch

from indexer.errors import SearchError
from indexer.search.elasticsearch.errors import ask, reason, search_errors
from indexer.system.patience import ATTEMPTS
from tests.each_row import each_row
from tests.search.stub import Stub, busy


@each_row(
    ("body", "text"),
    [
        ({"error": {"type": "a", "reason": "b"}}, "a: b"),
        ({"error": {"type": "a", "reason": "b", "caused_by": {"reason": "c"}}}, "a: b: c"),
        ({"error": "plain"}, "plain"),
        (
            {
                "error": {
                    "root_cause": [{"type": "q", "reason": "bad [(]"}],
                    "type": "s",
                    "reason": "all shards failed",
                    "failed_shards": [
                        {"reason": {"reason": "bad [(]", "caused_by": {"reason": "at\n1"}}}
                    ],
                }
            },
            "s: all shards failed: bad [(]: at 1",
        ),
        (
            {"error": {"root_cause": [{"reason": "b"}], "type": "a", "reason": "all failed"}},
            "a: all failed: b",
        ),
        ({"status": 500}, ""),
        ("text", "text"),
        (None, ""),
    ],
)
def test_an_error_names_its_innermost_cause(body: object, text: str) -> None:
    assert reason(body) == text


def test_a_missing_index_is_an_error_with_two_solutions() -> None:
    error = {"type": "index_not_found_exception", "index": "nwes"}
    client = Stub((404, {"error": error, "status": 404})).client()
    with pytest.raises(SearchError) as raised, search_errors("news", "http://h:9200"):
        client.count(index="news")
    assert str(raised.value) == (
        "no search index nwes at http://h:9200: check the alias in the URL; "
        "`story-indexer run` or `elastic-conf` makes one"
    )


@pytest.mark.parametrize("retries", [0, 2])
def test_an_unreachable_server_is_an_error_with_a_readable_reason(retries: int) -> None:
    client = Elasticsearch("http://127.0.0.1:1", max_retries=retries)
    with client, pytest.raises(SearchError) as raised, search_errors("news", "http://h:9200"):
        client.info()
    assert str(raised.value) == "can't reach Elasticsearch at http://h:9200: connection refused"


def asked(stub: Stub) -> object:
    """Send a request to a stub; return the answer."""
    client = stub.client().options(max_retries=0)
    return ask(stub.patience(), lambda: client.count()["count"])


def test_a_busy_server_is_asked_again() -> None:
    stub = Stub(busy(429), busy(503), (200, {"count": 1}))
    assert asked(stub) == 1
    assert stub.pauses == [0.25, 0.5]


def test_a_server_that_stays_busy_is_an_error_after_about_a_minute() -> None:
    stub = Stub(*[busy()] * ATTEMPTS)
    with pytest.raises(ApiError):
        asked(stub)
    assert stub.pauses == [0.25, 0.5, 1, 2, 4, 8, 16, 30]


def test_an_error_that_time_does_not_heal_is_raised_at_once() -> None:
    stub = Stub((400, {"error": "no"}))
    with pytest.raises(ApiError):
        asked(stub)
    assert stub.pauses == []
