"""The texts of Elasticsearch's errors."""

import pytest
from elasticsearch import Elasticsearch

from indexer.errors import SearchError
from indexer.search.elasticsearch.errors import reason, search_errors
from tests.each_row import each_row
from tests.search.stub import Stub


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
