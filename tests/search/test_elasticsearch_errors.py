"""What Elasticsearch's errors say."""

import pytest

from indexer.search.elasticsearch_errors import reason


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"error": {"type": "a", "reason": "b"}}, "a: b"),
        ({"error": {"type": "a", "reason": "b", "caused_by": {"reason": "c"}}}, "a: b: c"),
        ({"error": "plain"}, "plain"),
        ({"status": 500}, ""),
        ("text", "text"),
        (None, ""),
    ],
)
def test_an_error_says_its_innermost_cause(body: object, text: str) -> None:
    assert reason(body) == text
