"""Replacing and deleting in Elasticsearch: rollovers, copies, busy servers, refusals."""

import time
from collections.abc import Iterable
from typing import Any

import pytest
from elastic_transport import ConnectionError as NotConnected
from elasticsearch import Elasticsearch

from indexer.errors import SearchError
from indexer.search import Added, Erased, Erasure
from indexer.search.elasticsearch.index import ElasticsearchIndex
from indexer.search.elasticsearch.indices import copies
from indexer.search.elasticsearch.setup import Settings
from indexer.search.language.query import Query
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.search.conftest import open_contexts
from tests.search.corpus import fill, found, kinds, story
from tests.search.servers import Place
from tests.search.stub import Reply, Stub, busy, items

LATER = 3600.0
"""Seconds after which an index is no longer young."""


@pytest.fixture
def index(server: Elasticsearch, alias: str) -> ElasticsearchIndex:
    """An index with a late clock: its indices are not young."""
    given = Settings(("http://unused:9200",), alias)
    return ElasticsearchIndex(
        server, given, STORY_FIELDS, Stub().patience(), lambda: time.time() + LATER
    )


@pytest.fixture
def hasty(server: Elasticsearch, alias: str) -> ElasticsearchIndex:
    """An index with the real clock: a new index is young."""
    return ElasticsearchIndex(
        server, Settings(("http://unused:9200",), alias), STORY_FIELDS, Stub().patience()
    )


@pytest.mark.external
def test_a_document_of_an_older_index_is_updated_there(
    index: ElasticsearchIndex, place: Place
) -> None:
    fill(index, story("a", "first"), story("b", "first"))
    place.server.indices.rollover(alias=place.alias)
    assert kinds(index.update([story("a", "second"), story("c")])) == ["UPDATED", "CREATED"]
    index.refresh()
    assert place.texts() == {"-000001 a": "second", "-000001 b": "first", "-000002 c": "Some text."}


@pytest.mark.external
def test_all_copies_of_a_document_are_updated_and_deleted(
    index: ElasticsearchIndex, place: Place
) -> None:
    fill(index, story("a", "first"))
    place.server.indices.rollover(alias=place.alias)
    place.server.index(index=place.alias, id="a", document={"text_content": "first"}, refresh=True)
    assert kinds(index.update([story("a", "second")])) == ["UPDATED"]
    index.refresh()
    assert place.texts() == {"-000001 a": "second", "-000002 a": "second"}
    assert index.delete(["a"]) == [Erased(Erasure.DELETED)]
    assert place.texts() == {}


@pytest.mark.external
def test_a_document_written_to_the_older_index_after_a_rollover_is_updated_there(
    hasty: ElasticsearchIndex, place: Place
) -> None:
    fill(hasty, story("first"))
    place.server.indices.rollover(alias=place.alias)
    place.server.index(index=f"{place.alias}-000001", id="a", document={"text_content": "theirs"})
    assert kinds(hasty.update([story("a", "ours")])) == ["UPDATED"]
    hasty.refresh()
    assert place.texts() == {"-000001 first": "Some text.", "-000001 a": "ours"}


@pytest.mark.external
def test_a_document_deleted_during_its_update_counts_as_created(
    index: ElasticsearchIndex, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deleted_then(client: Elasticsearch, alias: str, ids: Iterable[str], _: object) -> Any:
        found = copies(client, alias, ids)
        client.delete(index=f"{alias}-000001", id="a")
        return found

    fill(index, story("a", "first"), story("b", "first"))
    monkeypatch.setattr("indexer.search.elasticsearch.writing.copies", deleted_then)
    both = [story("a", "second"), story("b", "second")]
    assert kinds(index.update(both)) == ["CREATED", "UPDATED"]


@pytest.mark.external
def test_an_index_that_takes_no_writes_fails_document_by_document(
    index: ElasticsearchIndex, server: Elasticsearch, alias: str
) -> None:
    fill(index, story("old", "first"))
    server.indices.rollover(alias=alias)
    fill(index, story("new", "first"))
    server.indices.put_settings(index=f"{alias}-000001", settings={"index.blocks.write": True})
    old, new = index.update([story("old", "second"), story("new", "second")])
    assert (old.added, old.again, new.added) == (Added.REFUSED, True, Added.UPDATED)
    assert "blocked" in old.why
    kept, gone, never = index.delete(["old", "new", "never"])
    assert (kept.erasure, gone.erasure) == (Erasure.FAILED, Erasure.DELETED)
    assert "blocked" in kept.why
    assert never.erasure is Erasure.MISSING
    assert found(index) == ["old"]


@pytest.mark.external
def test_deleting_leaves_no_point_in_time_open(
    index: ElasticsearchIndex, server: Elasticsearch, alias: str
) -> None:
    fill(index, story("a"))
    index.delete(["a"])
    assert index.find(["a"]) == {}
    assert open_contexts(server, alias) == 0


@pytest.mark.external
def test_counts_are_right_after_an_update(index: ElasticsearchIndex) -> None:
    fill(index, *(story(str(number)) for number in range(50)))
    index.update([story(str(number), "new") for number in range(25, 75)])
    index.refresh()
    assert (index.count(Query()), index.count(Query("new"))) == (75, 50)


# What no real server can be made to answer.

DONE: Reply = (200, {})
POINT: Reply = (200, {"id": "point"})


def there(*ids: str) -> Reply:
    """Return the reply to a search with these hits."""
    found = [{"_id": id, "_index": "x-1", "_source": {}, "sort": [1]} for id in ids]
    return 200, {"pit_id": "point", "hits": {"hits": found}}


def deleted(*statuses: int) -> Reply:
    """Return the reply to a bulk request that deletes."""
    return items(*statuses, action="delete", index="x-1")


def opened(stub: Stub) -> ElasticsearchIndex:
    """Return the index of a stub."""
    return ElasticsearchIndex(
        stub.client(), Settings(("http://stub:9200",)), STORY_FIELDS, stub.patience()
    )


def test_a_failed_deletion_has_a_reason_and_does_not_raise() -> None:
    stub = Stub(DONE, POINT, there("a", "b", "c"), DONE, deleted(200, 403, 404), DONE)
    assert opened(stub).delete(["a", "b", "c", "d"]) == [
        Erased(Erasure.DELETED),
        Erased(Erasure.FAILED, "some_exception: for some reason"),
        Erased(Erasure.MISSING),
        Erased(Erasure.MISSING),
    ]


def test_one_remaining_copy_is_a_failure() -> None:
    stub = Stub(DONE, POINT, there("a", "a"), DONE, deleted(200, 403), DONE)
    assert [one.erasure for one in opened(stub).delete(["a", "a"])] == [Erasure.FAILED] * 2


def test_a_busy_server_gets_only_the_rejected_documents_again() -> None:
    searches = (busy(503), POINT, busy(429), there("a", "b"), DONE)
    stub = Stub(DONE, *searches, deleted(429, 200), deleted(200), DONE)
    assert [one.erasure for one in opened(stub).delete(["a", "b"])] == [Erasure.DELETED] * 2
    assert stub.pauses == [0.25] * 3
    bulks = [body for request, body in stub.requests if "_bulk" in request]
    assert [body.count(b'"delete"') for body in bulks] == [2, 1]


def test_a_server_that_stays_busy_fails_documents_not_the_index() -> None:
    stub = Stub(DONE, POINT, there("a"), DONE, *[deleted(429)] * 9, DONE)
    (answer,) = opened(stub).delete(["a"])
    assert answer == Erased(Erasure.FAILED, "some_exception: for some reason")


def test_a_connection_lost_while_deleting_is_an_error_of_the_index() -> None:
    stub = Stub(DONE, POINT, there("a"), DONE, NotConnected("gone"))
    with pytest.raises(SearchError, match="can't reach Elasticsearch"):
        opened(stub).delete(["a"])


def test_a_thousand_documents_are_one_look_up_and_one_bulk_request() -> None:
    ids = [str(number) for number in range(999)]
    stub = Stub(DONE, POINT, there(*ids), DONE, deleted(*[200] * 999), DONE)
    assert len(opened(stub).delete(ids)) == 999
    assert [request.split("?")[0] for request, _ in stub.requests] == [
        "POST /mc_search/_refresh",
        "POST /mc_search/_pit",
        "POST /_search",
        "DELETE /_pit",
        "PUT /mc_search/_bulk",
        "POST /mc_search/_refresh",
    ]
