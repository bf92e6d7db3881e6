"""Persons and organisations in the shapes that formats use."""

from typing import Any

from indexer.software.readings.people import (
    organizations,
    people,
    people_and_entities,
    people_last_first,
)
from indexer.software.syntax.tree import Tree
from tests.each_row import each_row
from tests.software.readings.reading import reading

A, B = {"type": "Person", "name": "A Roe"}, {"type": "Person", "name": "B Doe"}
MAIL = {**A, "email": "a@a.example"}
COMPANY = {"type": "Organization", "name": "A Roe"}

SHAPES: list[tuple[Tree, list[Any]]] = [
    ("A Roe", [A]),
    ("A Roe <a@a.example>", [MAIL]),
    ("A Roe, B Doe", [A, B]),
    (["A Roe", {"name": "B Doe"}], [A, B]),
    ({"name": "A Roe"}, [A]),
    ({"name": "A Roe", "type": "Organization"}, [COMPANY]),
    ({"A Roe": "a@a.example", "B Doe": {}}, [MAIL, B]),
    ({"A Roe": {"email": "a@a.example"}}, [MAIL]),
    ({}, []),
    ("", []),
    (None, []),
    (3, []),
    ([None, True, "A Roe"], [A]),
]


@each_row(("value", "expected"), SHAPES)
def test_persons_are_read_in_each_shape(value: Tree, expected: list[Tree]) -> None:
    assert reading(people, value).values == expected


def test_each_person_of_a_list_tells_its_place() -> None:
    assert reading(people, ["A Roe", "B Doe"]).places == ["/k/0", "/k/1"]


@each_row("value", [3, [True], {}, "A Roe (a.example)"])
def test_each_value_that_is_not_used_is_diagnosed(value: Tree) -> None:
    assert len(reading(people, value).diagnostics) == 1


@each_row(
    ("value", "expected", "diagnosed"),
    [
        (
            [{"name": "A Roe", "website": "https://a.example"}],
            {**COMPANY, "url": "https://a.example"},
            0,
        ),
        ([{"given-names": "A"}], {"type": "Person", "givenName": "A"}, 0),
        ({"alias": "A Roe"}, A, 0),
        ("A Roe", None, 1),
        (None, None, 0),
    ],
)
def test_only_organisations_of_a_citation_file_have_a_name(
    value: Tree, expected: Tree, diagnosed: int
) -> None:
    found = reading(people_and_entities, value)
    assert found.values == ([expected] if expected else [])
    assert len(found.diagnostics) == diagnosed


@each_row(
    ("name", "expected"),
    [
        ("Roe, A", {"givenName": "A", "familyName": "Roe"}),
        ("A Roe", {"name": "A Roe"}),
        ("Roe, A, Jr.", {"name": "Roe, A, Jr."}),
    ],
)
def test_names_with_a_comma_are_divided_where_the_format_says_so(
    name: str, expected: dict[str, Tree]
) -> None:
    assert reading(people_last_first, [{"name": name}]).values == [{"type": "Person", **expected}]


@each_row(
    ("value", "count", "diagnosed"),
    [("A Roe", 1, 0), (["A Roe", {"name": "B"}, 3], 2, 1), ("", 0, 0), (None, 0, 0)],
)
def test_organisations_are_read_where_the_format_says_so(
    value: Tree, count: int, diagnosed: int
) -> None:
    found = reading(organizations, value)
    assert len(found.values) == count
    assert len(found.diagnostics) == diagnosed
