"""Copying documents between indices: each document once, resumable."""

from typing import Any

import pytest
from elastic_transport import ConnectionError as NotConnected

from indexer.errors import ConfigurationError
from indexer.search.elasticsearch.admin.reindex import (
    CopyStep,
    copy,
    count,
    make_ready,
    one_by_one,
)
from indexer.search.elasticsearch.admin.reindex import (
    IndexPlace as End,
)
from indexer.search.elasticsearch.scan import FailedDocument, between, checked_names, clause
from tests.search.servers import Place
from tests.search.stub import Reply, Stub, items

ALL: dict[str, Any] = {"match_all": {}}


def ends(place: Place, source: str = "-a", target: str = "-b") -> tuple[End, End]:
    """Two indices of a place, given by the ends of their names."""
    return (
        End(place.server, place.host, place.alias + source),
        End(place.server, place.host, place.alias + target),
    )


def put(place: Place, suffix: str, *documents: str, **fields: Any) -> None:
    """Add documents with these ids to an index; their text is the index's name."""
    for number, id in enumerate(documents):
        document = {"text_content": suffix, "indexed_date": f"2024-01-{number + 1:02}", **fields}
        place.server.index(index=place.alias + suffix, id=id, document=document)
    place.server.indices.refresh(index=f"{place.alias}*")


def done(steps: list[CopyStep]) -> tuple[int, int, int, int]:
    """Return the numbers of read, created, unchanged and failed documents."""
    tally = steps[-1].tally
    return tally.read, tally.done, tally.unchanged, tally.failed


def run(source: End, target: End, query: dict[str, Any] = ALL, **options: Any) -> list[CopyStep]:
    """Copy all; return the steps."""
    return list(copy(source, target, query, Stub().patience(), **options))


@pytest.mark.external
def test_documents_that_are_there_stay_as_they_are(place: Place) -> None:
    put(place, "-a", "1", "2", "3")
    put(place, "-b", "2")
    assert done(run(*ends(place))) == (3, 2, 1, 0)
    texts = {name: text for name, text in place.texts().items() if name.startswith("-b")}
    assert texts == {"-b 1": "-a", "-b 2": "-b", "-b 3": "-a"}


@pytest.mark.external
def test_a_document_is_copied_as_it_is(place: Place) -> None:
    fields = {"text_content": "é 😀", "other": {"n": [1, None]}, "big": 2**60}
    place.server.index(
        index=f"{place.alias}-a", id="ü/1", document=fields, routing="r", refresh=True
    )
    run(*ends(place))
    found = place.server.get(index=f"{place.alias}-b", id="ü/1", routing="r")
    assert (found["_source"], found["_routing"]) == (fields, "r")


@pytest.mark.external
def test_a_copy_can_be_repeated_and_bounded(place: Place) -> None:
    put(place, "-a", *"abcdefgh")
    source, target = ends(place)
    assert done(run(source, target, limit=3, batch=2)) == (3, 3, 0, 0)
    assert done(run(source, target, batch=3)) == (8, 5, 3, 0)
    assert count(source, ALL, Stub().patience()) == 8


@pytest.mark.external
def test_a_query_and_dates_choose(place: Place) -> None:
    put(place, "-a", *"abcdef")
    put(place, "-a", "x", language="en")
    source, target = ends(place)
    assert done(run(source, target, clause("language:en", "query_string"))) == (1, 1, 0, 0)
    days = between(ALL, "indexed_date", "2024-01-03", "2024-01-05")
    assert done(run(source, target, days)) == (3, 3, 0, 0)


@pytest.mark.external
def test_the_oldest_come_first_and_each_step_has_the_date_reached(place: Place) -> None:
    put(place, "-a", *"edcba")
    steps = run(*ends(place), by_date="indexed_date", batch=2)
    assert [step.date[:10] for step in steps] == ["2024-01-02", "2024-01-04", "2024-01-05"]
    assert steps[-1].date.startswith("2024-01-05T00:00:00")


@pytest.mark.external
def test_a_refused_document_is_reported_and_the_date_stays_before_it(place: Place) -> None:
    mappings = {"properties": {"number": {"type": "integer"}}}
    place.server.indices.create(index=f"{place.alias}-b", mappings=mappings)
    put(place, "-a", "a", "b")
    place.server.index(
        index=f"{place.alias}-a",
        id="bad",
        document={"number": "many", "indexed_date": "2024-01-03", "text_content": ""},
    )
    put(place, "-a", "a", "b", "x", "c")
    steps = run(*ends(place), by_date="indexed_date", batch=2)
    assert [step.date[:10] for step in steps] == ["2024-01-02", "2024-01-02", "2024-01-02"][
        : len(steps)
    ]
    ((id, why),) = steps[-1].tally.failures
    assert (id, steps[-1].tally.failed, steps[-1].tally.done) == ("bad", 1, 4)
    assert "number" in why


@pytest.mark.external
def test_an_index_to_write_to_is_not_made_by_accident(place: Place) -> None:
    _, target = ends(place)
    with pytest.raises(ConfigurationError, match="elastic-conf"):
        make_ready(target, create=False)
    make_ready(target, create=True)
    make_ready(target, create=False)
    assert place.server.indices.exists(index=target.index)


@pytest.mark.external
def test_indices_are_copied_each_to_its_own(place: Place) -> None:
    put(place, "-a1", "x")
    put(place, "-a2", "y")
    source, target = ends(place, "-a*", "")
    pairs = one_by_one(source, target, "_new")
    assert [(one.index, other.index) for one, other in pairs] == [
        (f"{place.alias}-a1", f"{place.alias}-a1_new"),
        (f"{place.alias}-a2", f"{place.alias}-a2_new"),
    ]
    for one, other in pairs:
        run(one, other)
    assert {name for name in place.texts() if "_new" in name} == {"-a1_new x", "-a2_new y"}


@pytest.mark.external
def test_an_alias_may_be_written_to(place: Place) -> None:
    place.server.indices.create(
        index=f"{place.alias}-000001", aliases={place.alias: {"is_write_index": True}}
    )
    put(place, "-a", "x")
    assert done(run(*ends(place, "-a", ""))) == (1, 1, 0, 0)
    assert "-000001 x" in place.texts()


@pytest.mark.external
def test_documents_in_an_older_index_of_the_alias_are_not_copied_again(place: Place) -> None:
    place.server.indices.create(
        index=f"{place.alias}-000001", aliases={place.alias: {"is_write_index": True}}
    )
    put(place, "-a", "x", "y")
    source, target = ends(place, "-a", "")
    run(source, target, limit=1)
    place.server.indices.refresh(index=place.alias)
    place.server.indices.rollover(alias=place.alias)
    assert done(run(source, target)) == (2, 1, 1, 0)
    names = sorted(name for name in place.texts() if name.startswith("-0"))
    assert [name.split()[0] for name in names] == ["-000001", "-000002"]
    assert {name.split()[1] for name in names} == {"x", "y"}


# What no real server can be made to answer.

POINT: Reply = (200, {"id": "p"})
CLOSED: Reply = (200, {"succeeded": True})
NONE_THERE: Reply = (200, {"hits": {"hits": []}})


def page(*hits: dict[str, Any]) -> Reply:
    """A page of hits."""
    return 200, {"pit_id": "p", "hits": {"hits": [{"sort": ["2024", 1], **hit} for hit in hits]}}


def stubbed(stub: Stub) -> tuple[End, End]:
    """Return two indices of a stub."""
    client = stub.client()
    return End(client, "http://stub:9200", "a"), End(client, "http://stub:9200", "b")


def test_a_server_that_stays_busy_refuses_the_documents() -> None:
    hit = {"_id": "x", "_source": {}}
    stub = Stub(POINT, page(hit), CLOSED, NONE_THERE, *[items(429)] * 9)
    steps = run(*stubbed(stub), by_date="indexed_date")
    assert (done(steps), steps[-1].date) == ((1, 0, 0, 1), "")
    assert steps[-1].tally.failures == [FailedDocument("x", "some_exception: for some reason")]


def test_a_document_without_its_source_is_a_failure() -> None:
    found = page({"_id": "x"}, {"_id": "y", "_source": {}})
    stub = Stub(POINT, found, CLOSED, NONE_THERE, items(201))
    assert done(run(*stubbed(stub))) == (2, 1, 0, 1)


def test_a_lost_connection_ends_it() -> None:
    stub = Stub(POINT, page({"_id": "x", "_source": {}}), CLOSED, NONE_THERE, NotConnected("gone"))
    with pytest.raises(NotConnected):
        run(*stubbed(stub))


def test_names_of_indices_are_checked() -> None:
    assert checked_names(["a,b", "mc_search-*"]) == "a,b,mc_search-*"
    for bad in ("", "a b", "-a", "_all", "a/b", "a,,b", "x:y", ".kibana"):
        with pytest.raises(ConfigurationError):
            checked_names([bad])


def test_no_bounds_are_no_filter() -> None:
    assert between(ALL, "indexed_date", None, "") == ALL
    assert clause("  ", "query_string") == ALL
