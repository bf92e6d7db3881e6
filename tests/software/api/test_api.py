"""The API of software: its answers, its errors, and the traps of spec 8.1."""

from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, cast
from unittest.mock import Mock

import pytest
from fastapi import FastAPI

from indexer.errors import StorageError
from indexer.search import open_index
from indexer.software.api.application import application
from indexer.software.api.site import MOST_SEARCHES, SoftwareSite
from indexer.software.searching.fields import SOFTWARE_FIELDS
from indexer.software.searching.writing import write_all
from indexer.software.store.program_record import EXISTING, ProgramRecord
from indexer.software.store.rows import OriginMetadataRow
from tests.feeds.served import Ask, asking
from tests.logged import capture_logs
from tests.software.searching.indexed import stated, url
from tests.software.store.stores import NEW, new_store, origin

MIT = "https://spdx.org/licenses/MIT"
OLD_DOCUMENT = {"@context": "https://doi.org/10.5063/schema/codemeta-2.0", "name": "old"}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[SoftwareSite]:
    with (
        closing(new_store(f"sqlite:///{tmp_path}/store.sqlite3")) as store,
        closing(open_index(f"sqlite:///{tmp_path}/index.sqlite3", SOFTWARE_FIELDS)) as index,
    ):
        terms: dict[str, Any] = {"license": MIT, "continuousIntegration": "https://ci.example/a"}
        store.add(
            [
                origin(store, url("a"), "npm", name="fourier", codeRepository="x", **terms),
                origin(store, url("b"), "npm", "cff", name="waves", description="fourier"),
                origin(store, url("c"), "cff", name="mist"),
                OriginMetadataRow(
                    url("a"), store.configuration(ProgramRecord(EXISTING, "3", {})), OLD_DOCUMENT
                ),
                stated("c", description="Haze."),
            ]
        )
        list(write_all(store, index))
        yield SoftwareSite(store, index, ("npm", "cff", "gitea", "maven"))


@pytest.fixture
def client(site: SoftwareSite) -> Ask:
    app = _application()
    app.state.site = site
    return asking(app, auth=None)


@cache
def _application() -> FastAPI:
    """Share one application among tests: each new one prepares its routes at its first request."""
    return application(cast(SoftwareSite, Mock(version="1")))


def origins(answer: Any) -> list[str]:
    """The hits of an answer."""
    return [hit["origin"].removeprefix(url("")) for hit in answer.json()["hits"]]


def test_a_search_has_hits_their_number_and_facets(client: Ask) -> None:
    found = client("/api/search?query=fourier&facets=mapping&facets=license&limit=1").json()
    assert found == {
        "total": 2,
        "hits": [
            {
                "origin": url("a"),
                "match": "exact name",
                "name": "fourier",
                "license": ["MIT"],
                "mapping": ["npm"],
                "head": f"swh:1:rev:{'e' * 40}",
            }
        ],
        "next": f"0:{url('a')}",
        "facets": {
            "mapping": [{"value": "npm", "hits": 2}, {"value": "cff", "hits": 1}],
            "license": [{"value": "MIT", "hits": 1}],
        },
    }


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("query=fourier", "a b"),
        ("query=fourier&mapping=cff", "b"),
        ("query=fourier OR mist&license=mit&license=ISC", "a"),
        ("conjunction=FOURIER&conjunction=waves", "b"),
        ("conjunction=haze", "c"),
        ("conjunction=Person OR x", ""),
        # The traps of spec 8.1: an empty conjunction, and terms without words.
        ("", ""),
        ("conjunction=", ""),
        ("conjunction=!!", ""),
        ("conjunction=&mapping=npm", ""),
        ("conjunction=SoftwareSourceCode", ""),
        ("conjunction=doi.org", ""),
        ("mapping=npm", "a b"),
        ("query=*&after=3:https://git.example/a", "b c"),
    ],
)
def test_a_search_finds_what_matches(client: Ask, asked: str, expected: str) -> None:
    answer = client(f"/api/search?{asked}")
    assert answer.status_code == 200
    assert origins(answer) == expected.split()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ('search?query="open', 400),
        ("search?query=x&after=nonsense", 400),
        ("search?query=x&limit=0", 422),
        ("search?query=x&limit=1001", 422),
        ("search?query=x&facets=name", 422),
        (f"search?query={'x' * 20_001}", 422),
        ("origins?limit=0", 422),
        ("origins?tool_ids=x", 422),
        ("codemeta", 422),
        ("codemeta?origin=x&version=4", 422),
        ("codemeta?origin=https://git.example/unknown", 404),
        ("codemeta?origin=%00", 404),
        ("codemeta?origin=https://git.example/b&profile=compat", 404),
    ],
)
def test_a_bad_request_is_told_why(client: Ask, path: str, status: int) -> None:
    answer = client(f"/api/{path}")
    assert answer.status_code == status
    assert answer.json()["detail"]


def test_origins_by_producer_come_in_pages(client: Ask) -> None:
    """The trap of spec 8.1: an origin under two records is one."""
    first = client("/api/origins?limit=2&ids_only=true").json()
    assert first == {"results": [url("a"), url("b")], "next": url("b")}
    last = client(f"/api/origins?limit=2&page_token={first['next']}").json()
    assert last["next"] is None
    (row,) = last["results"]
    assert (row["id"], row["mappings"], row["metadata"]["name"]) == (url("c"), ["cff"], "mist")
    cff = client("/api/origins?mappings=cff&mappings=maven&ids_only=true").json()
    assert cff["results"] == [url("b"), url("c")]


def test_origins_by_producer_are_of_the_asked_records(client: Ask, site: SoftwareSite) -> None:
    site.store.add([origin(site.store, url("z"), "npm", name="new", record=NEW)])
    number = site.store.configuration(NEW)
    found = client(f"/api/origins?ids_only=true&tool_ids={number}").json()
    assert found["results"] == [url("z")]


def test_statistics_count_every_registered_mapping(client: Ask) -> None:
    """The trap of spec 8.1."""
    assert client("/api/statistics").json() == {
        "total": 3,
        "non_empty": 3,
        "per_mapping": {"npm": 2, "cff": 2, "gitea": 1, "maven": 0},
    }


def codemeta(client: Ask, given: str = "", **headers: str) -> Any:
    """The answer with the document of the first origin."""
    return client(f"/api/codemeta?origin={url('a')}{given}", headers=headers)


def test_the_document_of_an_origin_has_a_tag_by_which_it_is_known(client: Ask) -> None:
    answer = codemeta(client)
    assert answer.headers["content-type"] == "application/ld+json"
    assert answer.json()["@context"] == "https://w3id.org/codemeta/3.0"
    tag = answer.headers["etag"]
    for known in (tag, f'"x", W/{tag}', "*"):
        again = codemeta(client, **{"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert codemeta(client, **{"If-None-Match": '"x"'}).content == answer.content
    assert codemeta(client, "&version=2").headers["etag"] != tag


@pytest.mark.parametrize(
    ("given", "accept", "version"),
    [
        ("", "*/*", 3),
        ("&version=2", "*/*", 2),
        ("", 'application/ld+json; profile="https://doi.org/10.5063/schema/codemeta-2.0"', 2),
        ("", "application/ld+json;profile=https://w3id.org/codemeta/3.0", 3),
        ("&version=3", 'x; profile="https://doi.org/10.5063/schema/codemeta-2.0"', 3),
        ("", 'application/ld+json; profile="https://unknown.example/"', 3),
    ],
)
def test_a_client_chooses_the_version(client: Ask, given: str, accept: str, version: int) -> None:
    answer = codemeta(client, given, Accept=accept)
    assert answer.headers["vary"] == "Accept"
    context, ci = {
        2: ("https://doi.org/10.5063/schema/codemeta-2.0", "contIntegration"),
        3: ("https://w3id.org/codemeta/3.0", "continuousIntegration"),
    }[version]
    assert (answer.json()["@context"], answer.json()[ci]) == (context, "https://ci.example/a")


def test_the_profile_compat_is_the_row_of_the_existing_system_as_it_was(client: Ask) -> None:
    assert codemeta(client, "&profile=compat").json() == OLD_DOCUMENT
    assert codemeta(client, "&profile=full").json()["name"] == "fourier"


def test_what_authorities_state_is_part_of_the_document(client: Ask) -> None:
    found = client(f"/api/codemeta?origin={url('c')}").json()
    assert (found["name"], found["description"]) == ("mist", "Haze.")


def test_a_database_that_is_away_is_an_error_without_its_name(
    client: Ask, site: SoftwareSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client("/healthz").json() == {"status": "ok"}

    def reading(*_: object, **__: object) -> None:
        raise StorageError("postgresql://db.internal: gone")

    monkeypatch.setattr(type(site.store.database), "reading", reading)
    with capture_logs() as logs:
        answers = [client(path) for path in ("/healthz", "/api/origins", "/api/statistics")]
    assert {answer.status_code for answer in answers} == {503}
    assert not [answer for answer in answers if "internal" in answer.text]
    assert logs[0]["why"] == "postgresql://db.internal: gone"


def test_too_many_searches_at_once_are_told_to_come_later(client: Ask, site: SoftwareSite) -> None:
    slots = [site.slot() for _ in range(MOST_SEARCHES)]
    for slot in slots:
        slot.__enter__()
    answer = client("/api/search?query=x")
    assert (answer.status_code, "retry-after" in answer.headers) == (503, True)
    assert codemeta(client).status_code == 200
    for slot in slots:
        slot.__exit__(None, None, None)
    assert client("/api/search?query=x").status_code == 200


def test_all_methods_are_described(client: Ask) -> None:
    paths = client("/openapi.json").json()["paths"]
    assert {"/api/search", "/api/origins", "/api/statistics", "/api/codemeta"} <= paths.keys()
