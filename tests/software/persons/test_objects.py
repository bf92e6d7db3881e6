"""Objects that describe persons, with the keys of each format."""

from typing import Any

from indexer.software.persons.objects import organization_of, person_of_object
from indexer.software.rules.property import Diagnostics
from tests.each_row import each_row

ORCID = "https://orcid.org/0000-0002-1825-0097"
UNIVERSITY = {"type": "Organization", "name": "University of A"}
A = {"type": "Organization", "name": "A"}

OBJECTS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    # npm
    (
        {"name": "Jane Roe", "email": "jane@a.example", "url": "https://a.example"},
        {"name": "Jane Roe", "email": "jane@a.example", "url": "https://a.example"},
    ),
    (
        {"name": "Jane Roe <jane@a.example>", "web": "https://a.example"},
        {"name": "Jane Roe", "email": "jane@a.example", "url": "https://a.example"},
    ),
    # CITATION.cff
    (
        {
            **{"given-names": "Jane", "name-particle": "van", "family-names": "Roe"},
            **{"name-suffix": "Jr.", "orcid": ORCID, "affiliation": "University of A"},
        },
        {
            **{"id": ORCID, "givenName": "Jane", "familyName": "van Roe Jr."},
            **{"affiliation": UNIVERSITY},
        },
    ),
    # pom.xml
    (
        {
            **{"id": "jane", "organization": "University of A"},
            **{"organizationUrl": "https://a.example", "roles": ["lead", "dev"]},
        },
        {
            "name": "jane",
            "affiliation": {**UNIVERSITY, "url": "https://a.example"},
            "roleName": ["lead", "dev"],
        },
    ),
    # composer.json
    (
        {"name": "Jane Roe", "homepage": "https://a.example", "role": "Developer"},
        {"name": "Jane Roe", "roleName": "Developer", "url": "https://a.example"},
    ),
    # codemeta.json
    ({"@type": "Organization", "name": "A"}, {"type": "Organization", "name": "A"}),
    ({"@id": ORCID, "givenName": "Jane"}, {"id": ORCID, "givenName": "Jane"}),
    (
        {"affiliation": {"name": "University of A"}, "name": "J"},
        {"name": "J", "affiliation": UNIVERSITY},
    ),
    # several addresses
    ({"email": ["a@a.example", "b@a.example"]}, {"email": ["a@a.example", "b@a.example"]}),
]

REFUSED: list[tuple[dict[str, Any], dict[str, Any] | None]] = [
    ({"name": "J", "email": "no address"}, {"name": "J"}),
    ({"name": "J", "url": "a.example"}, {"name": "J"}),
    ({"name": True, "email": "j@a.example"}, {"email": "j@a.example"}),
    ({"name": "J", "timezone": "UTC"}, {"name": "J"}),
    ({"name": "J", "login": "j"}, {"name": "J"}),
    ({"name": "J", "affiliation": {"name": "A", "x": "y"}}, {"name": "J", "affiliation": A}),
    ({"affiliation": "University of A"}, None),
    ({}, None),
]


@each_row(("given", "expected"), OBJECTS)
def test_an_object_is_a_person(given: dict[str, Any], expected: dict[str, Any]) -> None:
    diagnostics = Diagnostics()
    found = person_of_object(given, "/k", diagnostics)
    assert found == {"type": "Person", **expected}
    assert list(found)[:1] == ["type"]
    assert diagnostics.kept == []


@each_row(("given", "kept"), REFUSED)
def test_a_value_that_is_not_kept_is_diagnosed(
    given: dict[str, Any], kept: dict[str, Any] | None
) -> None:
    diagnostics = Diagnostics()
    found = person_of_object(given, "/k", diagnostics)
    assert found == ({"type": "Person", **kept} if kept else None)
    assert len(diagnostics.kept) == 1


@each_row("given", [None, "", " ", 3, [], {}, {"affiliation": "A"}])
def test_what_names_no_organization_is_none(given: Any) -> None:
    assert organization_of(given, "/k", Diagnostics()) is None
