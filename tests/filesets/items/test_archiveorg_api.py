"""The metadata of an item as headers of its first upload."""

from indexer.filesets.items.archiveorg_api import metadata_headers
from tests.each_row import each_row


@each_row(
    ("metadata", "headers"),
    [
        ({"title": "Tides"}, {"x-archive-meta00-title": "Tides"}),
        ({"title": "Ærø"}, {"x-archive-meta00-title": "uri(%C3%86r%C3%B8)"}),
        ({"title": "two\nlines"}, {"x-archive-meta00-title": "uri(two%0Alines)"}),
        ({"title": "uri(x)"}, {"x-archive-meta00-title": "uri(uri%28x%29)"}),
        ({"call_number": "1"}, {"x-archive-meta00-call--number": "1"}),
        (
            {"creator": ["A", "B"]},
            {"x-archive-meta00-creator": "A", "x-archive-meta01-creator": "B"},
        ),
    ],
)
def test_metadata_are_headers(
    metadata: dict[str, str | list[str]], headers: dict[str, str]
) -> None:
    assert metadata_headers(metadata) == headers


def test_headers_are_limited() -> None:
    metadata: dict[str, str | list[str]] = {
        "title": "T",
        "description": "ø" * 9000,
        "creator": [f"Creator {at}" for at in range(2000)],
    }
    found = metadata_headers(metadata)
    assert sum(map(len, (*found, *found.values()))) <= 6000
    assert found["x-archive-meta00-title"] == "T"
    assert found["x-archive-meta00-description"].endswith("%B8)")
