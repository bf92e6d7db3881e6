"""Updating canonical domains: only different ones change, and no other field."""

from typing import Any

import pytest

from indexer.search.elasticsearch.admin.domains import DomainUpdate
from indexer.search.elasticsearch.scan import ScanTally
from tests.search.servers import Place
from tests.search.stub import Reply, Stub, items

ALL: dict[str, Any] = {"match_all": {}}

FIELDS = ("url", "canonical_domain")


def domain(url: str) -> str:
    """The present rule."""
    return url.split("/")[2] if url.startswith("https://") else ""


def fill(place: Place) -> None:
    """Add documents with a right domain, a wrong one and none, and one with a bad URL."""
    rows: dict[str, dict[str, Any]] = {
        "right": {"url": "https://one.example/1", "canonical_domain": "one.example"},
        "wrong": {"url": "https://two.example/2", "canonical_domain": "example", "other": [1]},
        "none": {"url": "https://two.example/3"},
        "odd": {"url": "nowhere", "canonical_domain": "example"},
        "empty": {"canonical_domain": "example"},
    }
    for number, (id, fields) in enumerate(rows.items()):
        index = f"{place.alias}-00000{1 + number % 2}"
        place.server.index(index=index, id=id, document={"text_content": id, **fields})
    place.server.indices.refresh(index=f"{place.alias}-*")


def domains(place: Place) -> dict[str, str | None]:
    """Return the domains of the documents."""
    place.server.indices.refresh(index=f"{place.alias}-*")
    hits = place.server.search(index=f"{place.alias}-*")["hits"]["hits"]
    return {hit["_id"]: hit["_source"].get("canonical_domain") for hit in hits}


def update(place: Place, **options: Any) -> ScanTally:
    """Update the domains; return the tally."""
    job = DomainUpdate(
        place.server, f"{place.alias}-*", FIELDS, domain, Stub().patience(), lambda _: None
    )
    return list(job.update(options.pop("query", ALL), **options))[-1]


@pytest.mark.external
def test_domains_that_differ_are_changed_in_whichever_index(place: Place) -> None:
    fill(place)
    assert update(place, batch=2, buffer=1) == ScanTally(read=5, done=2, unchanged=1, skipped=2)
    assert domains(place) == {
        "right": "one.example",
        "wrong": "two.example",
        "none": "two.example",
        "odd": "example",
        "empty": "example",
    }
    found = place.server.search(index=f"{place.alias}-*", query={"ids": {"values": ["wrong"]}})
    assert found["hits"]["hits"][0]["_source"] == {
        "url": "https://two.example/2",
        "canonical_domain": "two.example",
        "other": [1],
        "text_content": "wrong",
    }


@pytest.mark.external
def test_a_second_run_has_nothing_to_do(place: Place) -> None:
    fill(place)
    update(place)
    place.server.indices.refresh(index=f"{place.alias}-*")
    assert update(place) == ScanTally(read=5, unchanged=3, skipped=2)


@pytest.mark.external
def test_a_dry_run_changes_nothing(place: Place) -> None:
    fill(place)
    before = domains(place)
    assert update(place, dry_run=True).done == 2
    assert domains(place) == before


@pytest.mark.external
def test_a_query_chooses(place: Place) -> None:
    fill(place)
    only = {"query_string": {"query": "_id:none"}}
    assert update(place, query=only) == ScanTally(read=1, done=1)


# A real server can not be made to give these answers.

POINT: Reply = (200, {"id": "p"})
HITS: Reply = (
    200,
    {
        "hits": {
            "hits": [
                {"_id": id, "_index": "x-1", "_source": {"url": "https://a.example"}, "sort": [1]}
                for id in "abcd"
            ]
        }
    },
)


def stubbed(stub: Stub, pauses: list[float], **options: Any) -> ScanTally:
    """Update the domains on a stub; return the tally."""
    job = DomainUpdate(stub.client(), "mc_search", FIELDS, domain, stub.patience(), pauses.append)
    return list(job.update(ALL, **options))[-1]


def test_a_document_that_was_deleted_meanwhile_does_not_come_back() -> None:
    stub = Stub(POINT, HITS, (200, {}), items(200, 404, 409, 429, action="update"), items(200))
    tally = stubbed(stub, [])
    assert (tally.done, tally.missing, tally.failed) == (2, 1, 1)
    assert tally.failures[0].id == "c"
    body = stub.requests[3][1].decode().splitlines()
    assert '"update"' in body[0]
    assert body[1] == '{"doc":{"canonical_domain":"a.example"}}'


def test_it_rests_after_each_write() -> None:
    pauses: list[float] = []
    two = items(200, 200, action="update")
    stub = Stub(POINT, HITS, two, two, (200, {}))
    assert stubbed(stub, pauses, buffer=2, batch=10, pause=1.5).done == 4
    assert pauses == [1.5, 1.5]


def test_a_document_whose_url_is_null_is_skipped_whatever_the_rule() -> None:
    hit = {"_id": "a", "_index": "x-1", "_source": {"url": None}, "sort": [1]}
    stub = Stub(POINT, (200, {"hits": {"hits": [hit]}}), (200, {}))
    job = DomainUpdate(stub.client(), "mc_search", FIELDS, lambda url: url, stub.patience())
    assert list(job.update(ALL))[-1] == ScanTally(read=1, skipped=1)
