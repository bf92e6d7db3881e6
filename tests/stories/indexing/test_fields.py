"""The index of stories: its names, which users type and programs read."""

from indexer.search.export import columns
from indexer.stories.indexing.fields import STORY_FIELDS


def test_the_names_in_queries_are_those_of_the_documentation() -> None:
    assert {name: field.name for name, field in STORY_FIELDS.queried.items()} == {
        "publication_date": "publication_date",
        "date": "publication_date",
        "article_title": "article_title",
        "title": "article_title",
        "canonical_domain": "canonical_domain",
        "domain": "canonical_domain",
        "language": "language",
        "lang": "language",
        "url": "url",
        "indexed_date": "indexed_date",
        "indexed": "indexed_date",
        "text_content": "text_content",
        "text": "text_content",
    }


def test_the_columns_of_csv_keep_their_order() -> None:
    assert columns(STORY_FIELDS) == (
        "publication_date",
        "article_title",
        "canonical_domain",
        "language",
        "url",
        "indexed_date",
        "id",
        "score",
        "snippet",
    )
