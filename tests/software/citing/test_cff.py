"""CITATION.cff 1.2.0: only values that its schema takes; what it requires and lacks is told."""

import yaml

from indexer.software.citing.cff import cff, gaps
from indexer.software.citing.citation import citation_of, citations_of
from tests.each_row import each_row
from tests.software.citing.documents import DOCUMENT


def test_the_software_and_its_preferred_citation() -> None:
    text = cff(citation_of(DOCUMENT), citations_of(DOCUMENT, "referencePublication"))
    assert yaml.safe_load(text) == {
        "cff-version": "1.2.0",
        "message": "If you use this software, please cite it as below.",
        "type": "software",
        "title": "Tides & {currents}",
        "authors": [
            {
                "family-names": "van Doe",
                "given-names": "Jane",
                "email": "jane@x.example",
                "orcid": "https://orcid.org/0000-0002-1825-0097",
                "affiliation": "Sea University",
            },
            {"name": "Ann Other"},
            {"name": "Tides and Waves Team"},
        ],
        "abstract": "Predicts tides: 50% of $x_1$",
        "version": "1.0",
        "date-released": "2024-02-03",
        "doi": "10.5281/zenodo.1",
        "repository-code": "https://h.example/a/tides",
        "license": "MIT",
        "keywords": ["sea", "tide"],
        "preferred-citation": {
            "type": "article",
            "title": "On tides",
            "authors": [{"family-names": "van Doe", "given-names": "Jane"}],
            "doi": "10.5281/zenodo.2",
            "journal": "Sea",
            "year": 2023,
        },
        "url": "https://tides.example/100%25_a",
    }


@each_row(
    ("document", "key"),
    [
        ({"datePublished": "2024-02"}, "date-released"),
        ({"license": "Free for all"}, "license"),
        ({"url": "x.example"}, "url"),
        ({"identifier": "abc"}, "doi"),
    ],
)
def test_values_that_the_schema_refuses_are_left_out(document: dict[str, str], key: str) -> None:
    assert key not in yaml.safe_load(cff(citation_of(document)))


@each_row(
    ("document", "names"),
    [
        ({}, ["title", "authors"]),
        ({"name": "a"}, ["authors"]),
        ({"name": "a", "author": "Jane"}, []),
    ],
)
def test_missing_values_that_the_format_requires_are_named(
    document: dict[str, str], names: list[str]
) -> None:
    assert gaps(citation_of(document)) == names


def test_other_works_are_references() -> None:
    works = [citation_of({"name": name, "author": "Jane"}) for name in "abc"]
    found = yaml.safe_load(cff(citation_of({}), works[:2], works[2:]))
    assert found["preferred-citation"]["title"] == "a"
    assert [each["title"] for each in found["references"]] == ["b", "c"]
