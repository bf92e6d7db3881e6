"""Elasticsearch's own promises: aliases, rollover, refusals (stories.md 7.2, 8)."""

import json
import time
from typing import Any

import pytest
from elastic_transport import ConnectionError as NotConnected
from elasticsearch import Elasticsearch

from indexer.errors import ConfigurationError, QueryError, SearchError
from indexer.search import Added, Erased, Erasure, open_index
from indexer.search.elasticsearch.index import ElasticsearchIndex
from indexer.search.elasticsearch.indices import Copy, Indices
from indexer.search.elasticsearch.setup import Settings
from indexer.search.language.query import Query
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.logged import capture_logs
from tests.search.conftest import open_contexts
from tests.search.corpus import corpus, fill, found, kinds, story
from tests.search.schemas import EXTENDED
from tests.search.stub import Reply, Stub, busy, items

LATER = 3600.0
"""Seconds after which an index is no longer young."""


@pytest.fixture
def index(server: Elasticsearch, alias: str) -> ElasticsearchIndex:
    """An index with a late clock: its indices are not young."""
    stub = Stub()
    given = Settings(("http://unused:9200",), alias)
    return ElasticsearchIndex(
        server, given, STORY_FIELDS, stub.patience(), lambda: time.time() + LATER
    )


@pytest.fixture
def hasty(server: Elasticsearch, alias: str) -> ElasticsearchIndex:
    """An index with the real clock: a new index is young."""
    given = Settings(("http://unused:9200",), alias)
    return ElasticsearchIndex(server, given, STORY_FIELDS, Stub().patience())


def put(server: Elasticsearch, index: str, id: str) -> None:
    """Add a document as another importer would."""
    fields = {"url": f"https://other.example/{id}", "text_content": "theirs"}
    server.index(index=index, id=id, document={**fields, "indexed_date": "2024-01-01"})


@pytest.mark.external
def test_the_first_add_makes_template_index_and_alias(
    index: ElasticsearchIndex, server: Elasticsearch, alias: str
) -> None:
    fill(index, story())
    (made,) = server.indices.get(index=alias).items()
    assert made[0] == f"{alias}-000001"
    assert made[1]["aliases"][alias]["is_write_index"] is True
    fields = made[1]["mappings"]["properties"]
    assert fields["indexed_date"]["type"] == "date_nanos"
    assert server.indices.exists_index_template(name=f"{alias}_template")


@pytest.mark.external
def test_the_template_serves_the_next_index_too(
    index: ElasticsearchIndex, server: Elasticsearch, alias: str
) -> None:
    fill(index, story("a"))
    server.indices.rollover(alias=alias)
    fill(index, story("b"))
    second = server.indices.get(index=f"{alias}-000002")[f"{alias}-000002"]
    assert second["mappings"]["dynamic"] == "false"
    assert sorted(found(index)) == ["a", "b"]


@pytest.mark.external
def test_no_index_is_made_where_the_url_forbids_it(elasticsearch_url: str, alias: str) -> None:
    index = open_index(f"{elasticsearch_url}/{alias}?create=false", STORY_FIELDS)
    with pytest.raises(ConfigurationError, match="create=false"):
        index.add([story()])


@pytest.mark.external
def test_an_index_in_place_of_the_alias_is_explained(
    index: ElasticsearchIndex, server: Elasticsearch, alias: str
) -> None:
    server.indices.create(index=alias)
    with pytest.raises(ConfigurationError, match="is an index, not an alias"):
        index.add([story()])


@pytest.mark.external
def test_an_alias_that_no_index_is_written_by_is_explained(
    index: ElasticsearchIndex, server: Elasticsearch, alias: str
) -> None:
    for number in (1, 2):
        server.indices.create(index=f"{alias}-00000{number}", aliases={alias: {}})
    with pytest.raises(ConfigurationError, match="is_write_index"):
        index.add([story()])


@pytest.mark.external
def test_one_index_behind_an_alias_is_written_to(
    index: ElasticsearchIndex, server: Elasticsearch, alias: str
) -> None:
    server.indices.create(index=f"{alias}-2023", aliases={alias: {}})
    fill(index, story("a"))
    assert server.count(index=f"{alias}-2023")["count"] == 1


@pytest.mark.external
def test_a_document_of_an_older_index_is_a_duplicate_elsewhere(
    index: ElasticsearchIndex, server: Elasticsearch, alias: str
) -> None:
    fill(index, story("a"))
    server.indices.rollover(alias=alias)
    (answer,) = index.add([story("a", indexed_date="2025-01-01")])
    assert (answer.added, answer.elsewhere, answer.same) == (Added.DUPLICATE, True, False)
    (answer,) = index.add([story("a")])
    assert (answer.elsewhere, answer.same) == (True, True)


@pytest.mark.external
def test_a_document_written_to_the_older_index_after_the_rollover_is_not_kept_twice(
    hasty: ElasticsearchIndex, server: Elasticsearch, alias: str
) -> None:
    """stories.md 7.2, Trap: searching, then creating, is a race."""
    fill(hasty, story("first"))
    server.indices.rollover(alias=alias)
    put(server, f"{alias}-000001", "a")  # not yet visible to searches
    answers = hasty.add([story("a"), story("b")])
    assert kinds(answers) == ["DUPLICATE", "CREATED"]
    assert (answers[0].elsewhere, answers[0].same) == (True, False)
    hasty.refresh()
    places = {hit["_id"]: hit["_index"] for hit in server.search(index=alias)["hits"]["hits"]}
    assert places["a"] == f"{alias}-000001"
    assert found(hasty, "theirs") == ["a"]


@pytest.mark.external
def test_a_rollover_between_the_look_up_and_the_writing_is_noticed(
    index: ElasticsearchIndex, server: Elasticsearch, alias: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(index, story("first"))
    send = index._writer._bulk.send

    def roll_over_first(lines: list[object]) -> object:
        monkeypatch.setattr(index._writer._bulk, "send", send)
        put(server, f"{alias}-000001", "a")
        server.indices.rollover(alias=alias)
        return send(lines)  # type: ignore[arg-type]  # the same lines

    monkeypatch.setattr(index._writer._bulk, "send", roll_over_first)
    answers = index.add([story("a"), story("b")])
    assert kinds(answers) == ["DUPLICATE", "CREATED"]
    assert answers[0].elsewhere
    index.refresh()
    assert sorted(found(index)) == ["a", "b", "first"]


@pytest.mark.external
def test_a_deleted_document_is_gone_from_all_indices(
    index: ElasticsearchIndex, server: Elasticsearch, alias: str
) -> None:
    fill(index, story("a"), story("b"))
    server.indices.rollover(alias=alias)
    put(server, alias, "a")
    assert index.delete(["a"]) == [Erased(Erasure.DELETED)]
    assert found(index) == ["b"]


@pytest.mark.external
def test_a_document_that_the_mapping_refuses_has_a_reason(
    index: ElasticsearchIndex, server: Elasticsearch, alias: str
) -> None:
    mappings = {"properties": {"language": {"type": "integer"}}}
    server.indices.create(
        index=f"{alias}-1", aliases={alias: {"is_write_index": True}}, mappings=mappings
    )
    answers = index.add([story("a"), story("b", language=None)])
    assert kinds(answers) == ["REFUSED", "CREATED"]
    assert "language" in answers[0].why
    assert not answers[0].again


@pytest.mark.external
def test_a_blocked_index_is_not_a_fault_of_the_document(
    index: ElasticsearchIndex, server: Elasticsearch, alias: str
) -> None:
    fill(index, story("first"))
    server.indices.put_settings(index=alias, settings={"index.blocks.write": True})
    (answer,) = index.add([story("a")])
    assert (answer.added, answer.again) == (Added.REFUSED, True)
    assert "blocked" in answer.why


@pytest.mark.external
def test_documents_of_other_programs_may_lack_any_field(
    index: ElasticsearchIndex, server: Elasticsearch, alias: str
) -> None:
    fill(index, story("a"))
    server.index(index=alias, id="b", document={"publication_date": 5, "other": [1]})
    index.refresh()
    document = index.get("b")
    assert document
    assert (document.get("url"), document.get("publication_date")) == (None, "5")
    assert sorted(found(index)) == ["a", "b"]


@pytest.mark.external
def test_stored_documents_have_no_empty_fields(
    index: ElasticsearchIndex, server: Elasticsearch, alias: str
) -> None:
    fill(index, story("a", article_title="", language=None))
    stored = server.get(index=f"{alias}-000001", id="a")["_source"]
    assert sorted(stored) == [
        "canonical_domain",
        "indexed_date",
        "publication_date",
        "text_content",
        "url",
    ]


@pytest.mark.external
def test_an_index_tells_what_its_searches_lack(index: ElasticsearchIndex, alias: str) -> None:
    assert index.limits() == []
    fill(index, story("a"))
    [line] = index.limits()
    assert line.startswith(f"{alias}-000001: `url` is a `keyword`: url:*word* is slow")


@pytest.mark.external
def test_fields_that_an_older_index_can_not_find_are_logged_once(
    index: ElasticsearchIndex, server: Elasticsearch, alias: str
) -> None:
    fill(index, story("a"))
    given = Settings(("http://unused:9200",), alias)
    newer = ElasticsearchIndex(server, given, EXTENDED, Stub().patience())
    with capture_logs() as logged:
        for id in "bc":
            fill(newer, story(id, words=3))
    # The server of the tests has no `wildcard` type.
    assert [line["event"] for line in logged] == ["fields-not-searchable", "searches-limited"]
    line = logged[0]
    assert (line["event"], line["index"]) == ("fields-not-searchable", f"{alias}-000001")
    assert "words" in line["fields"]
    assert "elastic-conf" in line["why"]
    document = newer.get("b")
    assert document
    assert document.get("words") == 3


@pytest.mark.external
def test_points_in_time_are_closed(
    index: ElasticsearchIndex, server: Elasticsearch, alias: str
) -> None:
    fill(index, *corpus())
    hits = index.search(Query("*", limit=None))
    next(hits)
    hits.close()  # type: ignore[attr-defined]  # it is a generator
    assert open_contexts(server, alias) == 0


@pytest.mark.external
def test_a_document_deleted_while_it_is_imported_is_tried_again(
    index: ElasticsearchIndex, server: Elasticsearch, alias: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = index._writer._client
    look_up = client.mget

    def delete_first(**asked: Any) -> Any:
        server.delete(index=f"{alias}-000001", id="a")
        return look_up(**asked)

    fill(index, story("first"))
    server.indices.put_settings(index=f"{alias}-000001", settings={"refresh_interval": -1})
    put(server, alias, "a")  # not visible to searches
    monkeypatch.setattr(client, "mget", delete_first)
    (answer,) = index.add([story("a")])
    assert (answer.added, answer.again) == (Added.REFUSED, True)
    assert kinds(index.add([story("a")])) == ["CREATED"]


# What no real server can be made to answer.

INDICES: Reply = (
    200,
    {
        "mc_search-000001": {
            "aliases": {"mc_search": {"is_write_index": True}},
            "settings": {"index": {"creation_date": "0"}},
        }
    },
)
NO_HITS: Reply = (200, {"hits": {"hits": []}})


def opened(stub: Stub) -> ElasticsearchIndex:
    """Return the index of a stub."""
    return ElasticsearchIndex(
        stub.client(), Settings(("http://stub:9200",)), STORY_FIELDS, stub.patience()
    )


def test_documents_that_a_busy_server_rejected_are_sent_again() -> None:
    stub = Stub(INDICES, NO_HITS, items(201, 429), items(201))
    assert kinds(opened(stub).add([story("a"), story("b")])) == ["CREATED", "CREATED"]
    assert stub.requests[-1][1].count(b'"create"') == 1


def test_a_server_that_stays_busy_refuses_for_now() -> None:
    stub = Stub(INDICES, NO_HITS, *[items(429)] * 9)
    (answer,) = opened(stub).add([story("a")])
    assert (answer.added, answer.again) == (Added.REFUSED, True)
    assert answer.why == "some_exception: for some reason"


def test_a_look_up_waits_for_a_busy_server_too() -> None:
    stub = Stub(busy(503), INDICES, busy(429), NO_HITS, items(201))
    assert kinds(opened(stub).add([story("a")])) == ["CREATED"]
    assert stub.pauses == [0.25, 0.25]


def test_a_connection_lost_while_writing_is_an_error_of_the_index() -> None:
    stub = Stub(INDICES, NO_HITS, NotConnected("gone"))
    with pytest.raises(SearchError, match="can't reach Elasticsearch at http://stub:9200"):
        opened(stub).add([story("a")])


def test_a_refused_search_is_an_error_with_the_reason() -> None:
    refusal = (400, {"error": {"type": "too_many_clauses", "reason": "more than 1024"}})
    with pytest.raises(QueryError, match="too_many_clauses: more than 1024"):
        opened(Stub(refusal)).count(Query())
    with pytest.raises(SearchError, match="403"):
        opened(Stub((403, {"error": {"type": "security_exception"}}))).count(Query())


def test_a_document_deleted_before_the_look_up_is_not_a_duplicate() -> None:
    missing = {"_index": "mc_search-000001", "_id": "a", "found": False}
    failed = {"_index": "mc_search-000001", "_id": "b", "error": {"type": "no_shard_available"}}
    there = {"_index": "mc_search-000001", "_id": "c", "found": True, "_source": {}}
    looked_up: Reply = (200, {"docs": [missing, failed, there]})
    stories = [story("a"), story("b"), story("c")]
    for write in (ElasticsearchIndex.add, ElasticsearchIndex.update):
        replaced = [items(200, action="index")] * (write is ElasticsearchIndex.update)
        stub = Stub(INDICES, NO_HITS, items(409, 409, 409), looked_up, *replaced)
        deleted, unknown, last = write(opened(stub), stories)
        assert [(one.added, one.again) for one in (deleted, unknown)] == [(Added.REFUSED, True)] * 2
        assert last.added in (Added.DUPLICATE, Added.UPDATED)


def test_a_bulk_request_never_makes_an_index_by_itself() -> None:
    stub = Stub(INDICES, NO_HITS, items(201))
    opened(stub).add([story("a")])
    assert "require_alias=true" in stub.requests[-1][0]


def test_a_whole_batch_is_one_look_up_and_one_bulk_request() -> None:
    stub = Stub(INDICES, NO_HITS, items(*[201] * 500))
    opened(stub).add([story(str(number)) for number in range(500)])
    assert [request.split("?")[0] for request, _ in stub.requests] == [
        "GET /mc_search",
        "POST /mc_search/_search",
        "PUT /mc_search/_bulk",
    ]
    assert len(json.loads(stub.requests[1][1])["query"]["ids"]["values"]) == 500


@pytest.mark.parametrize(
    ("written", "age", "indices", "doubtful"),
    [
        ("b", 9999.0, 2, False),
        ("b", 10.0, 2, True),
        ("b", -10.0, 2, True),
        ("b", 10.0, 1, False),
        ("c", 9999.0, 2, True),
    ],
    ids=["long written to", "young", "clocks differ", "the only one", "not the one expected"],
)
def test_when_to_look_again(written: str, age: float, indices: int, doubtful: bool) -> None:
    created = dict(list({"b": 1_000_000.0, "a": 0.0}.items())[:indices])
    assert Indices("b", created).may_have_missed(written, 1_000_000.0 + age) is doubtful


def test_only_the_younger_copy_goes() -> None:
    known = Indices("b", {"a": 1.0, "b": 2.0})
    copies = [Copy("a", {}), Copy("b", {})]
    assert known.older("b", copies) == copies[:1]
    assert known.older("a", copies) == []
