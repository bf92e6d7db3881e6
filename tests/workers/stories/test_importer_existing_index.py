"""The importer and the search on the index of the existing system, on a real Elasticsearch."""

from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch
from pydantic import SecretStr

from indexer.errors import Discard
from indexer.messages.worker import Done
from indexer.search import open_index
from indexer.search.language.query import Query
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.search.elasticsearch.production import MAPPINGS
from tests.search.servers import Place, own_place
from tests.stories.archived import NOON, a_story
from workers.stories.importer import Importer, ImporterOptions

pytestmark = pytest.mark.external

# The server of the tests has no modules, so no `wildcard` (tests.search.elasticsearch.production).
HERE = {**MAPPINGS, "properties": {**MAPPINGS["properties"], "url": {"type": "keyword"}}}

EXISTING = {
    "article_title": "An old title",
    "canonical_domain": "site.example",
    "indexed_date": "2023-05-01T11:00:00.123456",
    "language": "en",
    "publication_date": "2023-04-30",
    "text_content": "An existing text",
    "url": "https://site.example/news/1",
}
"""A document as the existing importer writes it (stories.md 7.2)."""


@pytest.fixture
def place(elasticsearch_url: str) -> Iterator[Place]:
    """A place with two indices of the existing system, of which the older has a story."""
    with own_place(elasticsearch_url) as found:
        for number, is_written in (("000001", False), ("000002", True)):
            alias = {found.alias: {"is_write_index": is_written}}
            found.server.indices.create(
                index=f"{found.alias}-{number}", mappings=HERE, aliases=alias
            )
        # The id: sha256 of the normalised URL.
        id = sha256(b"http://site.example/news/1").hexdigest()
        found.server.index(
            index=f"{found.alias}-000001", id=id, document=EXISTING, refresh="wait_for"
        )
        yield found


def mappings_of(server: Elasticsearch, alias: str) -> list[object]:
    return [each["mappings"] for each in server.indices.get(index=alias).values()]


def test_its_documents_are_duplicates_and_found_and_its_mapping_stays(
    place: Place, tmp_path: Path
) -> None:
    importer = Importer(
        ImporterOptions(data=tmp_path, index_url=SecretStr(place.url)), clock=lambda: NOON
    )
    importer.add(a_story(1))
    importer.add(a_story(2))
    old, new = importer.flush()
    importer.close()
    assert isinstance(old, Discard)
    assert old.status in ("dups", "ilm-dups")
    assert new == Done([a_story(2)], "created")
    place.server.indices.refresh(index=place.alias)
    assert place.server.count(index=f"{place.alias}-000002")["count"] == 1
    with closing(open_index(place.url, STORY_FIELDS)) as index:
        hits = index.search(Query("text_content:existing OR url:*news/2"))
        found = {hit.document.text("url"): hit.document.text("indexed_date") for hit in hits}
    assert found.keys() == {f"https://site.example/news/{number}" for number in (1, 2)}
    assert found[EXISTING["url"]] == EXISTING["indexed_date"]
    assert mappings_of(place.server, place.alias) == [HERE] * 2
