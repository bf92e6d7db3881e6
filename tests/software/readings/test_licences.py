"""Licences in the shapes that package managers use."""

from indexer.software.licences.identifiers import IRI
from indexer.software.readings.licences import licences
from indexer.software.syntax.tree import Tree
from tests.each_row import each_row
from tests.software.readings.reading import reading

MIT, ISC, APACHE = f"{IRI}MIT", f"{IRI}ISC", f"{IRI}Apache-2.0"
URL = "https://a.example/licence"

SHAPES: list[tuple[Tree, list[Tree]]] = [
    ("MIT", [MIT]),
    ("MIT OR ISC", [MIT, ISC]),
    ("MIT AND ISC", [{"@value": "MIT AND ISC"}]),
    ("UNLICENSED", [{"@value": "UNLICENSED"}]),
    (URL, [URL]),
    ("", []),
    (None, []),
    (["MIT", "ISC"], [MIT, ISC]),
    ([["MIT"], None, 3], [MIT]),
    # npm
    ({"type": "MIT", "url": URL}, [MIT]),
    ([{"type": "MIT", "url": URL}, {"type": "ISC"}], [MIT, ISC]),
    ({"type": "Ours", "url": URL}, [URL]),
    # Maven
    ({"name": "Apache License", "url": "http://www.apache.org/licenses/LICENSE-2.0"}, [APACHE]),
    ({"name": "Our licence"}, [{"@value": "Our licence"}]),
    # GitHub
    ({"key": "mit", "name": "MIT License", "spdx_id": "MIT", "url": URL}, [MIT]),
    # pyproject.toml
    ({"text": "MIT"}, [MIT]),
    ({"file": "LICENSE"}, [{"@value": "LICENSE"}]),
    # shapes that no program writes
    ({"url": None, "name": 3}, []),
    (True, []),
    ({}, []),
]


@each_row(("value", "expected"), SHAPES)
def test_licences_are_read_in_each_shape(value: Tree, expected: list[Tree]) -> None:
    assert reading(licences, value).values == expected


def test_a_licence_tells_its_place() -> None:
    assert reading(licences, [{"type": "MIT"}]).places == ["/k/0/type"]


@each_row("value", ["Ours", "OSI Approved", {}, 1, [True], {"name": "Ours", "url": URL}])
def test_each_value_that_names_no_licence_is_diagnosed(value: Tree) -> None:
    assert len(reading(licences, value).diagnostics) == 1
