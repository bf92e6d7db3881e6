"""A citation has what a document says, in plain forms, whatever the shape of the document."""

from typing import Any

import pytest

from indexer.software.citing.citation import CitedAgent, citation_of, citations_of
from tests.each_row import each_row

ORCID = "https://orcid.org/0000-0002-1825-0097"


@each_row(
    ("document", "field", "value"),
    [
        ({"name": ["A\n b", "c"]}, "title", "A b"),
        ({"name": "a\x1b[0m\u202e\u00a0b\ud800"}, "title", "a[0m b"),
        ({"softwareVersion": 1.5}, "version", "1.5"),
        ({"version": "2", "softwareVersion": "3"}, "version", "2"),
        ({"identifier": ["x", "https://doi.org/10.5281/zenodo.1"]}, "doi", "10.5281/zenodo.1"),
        ({"identifier": "doi: 10.5281/a"}, "doi", "10.5281/a"),
        ({"id": "http://dx.doi.org/10.5281/a"}, "doi", "10.5281/a"),
        ({"schema:identifier": "10.5281/a"}, "doi", "10.5281/a"),
        ({"identifier": "10.1/no DOI"}, "doi", ""),
        ({"datePublished": "2024-02-03T01:00:00Z"}, "date", "2024-02-03"),
        ({"datePublished": "soon", "dateModified": "2024"}, "date", "2024"),
        ({"url": ["https://doi.org/10.5281/a", "https://a.example"]}, "url", "https://a.example"),
        ({"url": "javascript:alert(1)"}, "url", ""),
        (
            {"codeRepository": "git+https://h.example/a.git"},
            "repository",
            "https://h.example/a.git",
        ),
        ({"license": ["https://spdx.org/licenses/MIT", "x"]}, "licences", ("MIT",)),
        ({"license": "https://spdx.org/licenses/GPL-3.0-only.html"}, "licence", "GPL-3.0-only"),
        ({"schema:license": "MIT AND ISC"}, "licence", "MIT AND ISC"),
        ({"keywords": ["a", "b", "a"]}, "keywords", ("a", "b")),
        ({"publisher": {"type": "Organization", "name": "P"}}, "publisher", "P"),
        ({"isPartOf": {"name": "Journal"}}, "journal", "Journal"),
    ],
)
def test_a_field_of_a_citation(document: dict[str, Any], field: str, value: object) -> None:
    assert getattr(citation_of(document), field) == value


@each_row(
    ("author", "agent"),
    [
        ("Jane Doe", CitedAgent("Jane Doe")),
        (
            {"type": "Person", "givenName": "Jane", "familyName": "Doe", "id": ORCID},
            CitedAgent("Jane Doe", "Doe", "Jane", orcid="0000-0002-1825-0097"),
        ),
        (
            {"type": "Organization", "name": "Team", "url": "https://t.example"},
            CitedAgent("Team", url="https://t.example", is_organisation=True),
        ),
        (
            {"type": "Role", "schema:author": {"name": "Jane"}, "roleName": "lead"},
            CitedAgent("Jane"),
        ),
        (
            {"name": "J", "affiliation": [{"name": "A"}], "email": "j@x.example"},
            CitedAgent("J", email="j@x.example", affiliation="A"),
        ),
    ],
)
def test_an_author_of_a_citation(author: Any, agent: CitedAgent) -> None:
    assert citation_of({"author": [author, {}, None]}).authors == (agent,)


@each_row(
    ("document", "key"),
    [
        (
            {"author": {"familyName": "Ångström"}, "name": "The Tides", "datePublished": "2024"},
            "angstrom_the_2024",
        ),
        ({"author": "王小明", "name": "潮"}, "software"),
        ({"author": "O'Neil, {J}"}, "o_neil_j"),
        ({}, "software"),
    ],
)
def test_a_key_has_only_letters_that_bibtex_takes(document: dict[str, Any], key: str) -> None:
    assert citation_of(document).key == key


@each_row(
    ("kind", "names"),
    [
        ("SoftwareSourceCode", ("software", "software", "software")),
        ("ScholarlyArticle", ("article", "article-journal", "article")),
        ("Dataset", ("dataset", "dataset", "data")),
        ("Thesis", ("phdthesis", "thesis", "thesis")),
        ("CreativeWork", ("misc", "document", "generic")),
        (None, ("misc", "document", "generic")),
    ],
)
def test_each_kind_of_work_has_a_type_in_each_format(kind: str, names: tuple[str, ...]) -> None:
    assert citation_of({"type": kind}).type == names


def test_works_without_a_title_are_not_cited() -> None:
    works: list[Any] = [
        "https://doi.org/10.1/a",
        {"id": "https://doi.org/10.5281/a"},
        {"name": "On tides"},
    ]
    found = citations_of({"referencePublication": works}, "referencePublication")
    assert [each.title for each in found] == ["On tides"]


@pytest.mark.parametrize("document", [{"author": [[["x"]]]}, {"name": {"@value": ["x"]}}])
def test_values_in_odd_places_are_left_out(document: Any) -> None:
    found = citation_of(document)
    assert (found.title, found.authors) == ("", ())
