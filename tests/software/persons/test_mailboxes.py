"""Texts that name persons, in the spellings that authors of manifests use."""

from typing import Any

from indexer.software.persons.mailboxes import people_of
from tests.each_row import each_row

JANE: dict[str, Any] = {"name": "Jane Roe", "email": "jane@a.example"}
JOHN: dict[str, Any] = {"name": "John Doe", "email": "john@a.example"}
SITE = "https://a.example/~jane"

ONE: dict[str, dict[str, Any]] = {
    "Jane Roe": {"name": "Jane Roe"},
    "Jane Roe <jane@a.example>": JANE,
    f"Jane Roe <jane@a.example> ({SITE})": {**JANE, "url": SITE},
    f"Jane Roe<jane@a.example>({SITE})": {**JANE, "url": SITE},
    f"Jane Roe ({SITE}) <jane@a.example>": {**JANE, "url": SITE},
    f"Jane Roe ({SITE})": {"name": "Jane Roe", "url": SITE},
    f"Jane Roe <{SITE}>": {"name": "Jane Roe", "url": SITE},
    f"Jane Roe {SITE}": {"name": "Jane Roe", "url": SITE},
    "Jane Roe jane@a.example": JANE,
    "Jane Roe (jane@a.example)": JANE,
    "Jane Roe <mailto:jane@a.example>": JANE,
    "Jane Roe <jane@a.example": JANE,
    "'Jane Roe' <jane@a.example>,": JANE,
    "Jane Roe <jane@a.example> <jane@a.example>": JANE,
    "Jane Roe <>": {"name": "Jane Roe"},
    "<jane@a.example>": {"email": "jane@a.example"},
    "jane@a.example": {"email": "jane@a.example"},
    SITE: {"url": SITE},
    "@jane": {"name": "@jane"},
    "Jane Roe <jane at a dot example>": {"name": "Jane Roe <jane at a dot example>"},
    "Jane Roe (University of A)": {"name": "Jane Roe (University of A)"},
    "Zoë Müller-Łoś <zoë@müller.example>": {
        "name": "Zoë Müller-Łoś",
        "email": "zoë@müller.example",
    },
    "Jane Roe <jane@a.example> (https://orcid.org/0000-0002-1825-0097)": {
        "id": "https://orcid.org/0000-0002-1825-0097",
        **JANE,
    },
    # commas and `and` that separate no persons
    '"Roe, Jane" <jane@a.example>': {"name": "Roe, Jane", "email": "jane@a.example"},
    "Roe, Jane <jane@a.example>": {"name": "Roe, Jane", "email": "jane@a.example"},
    "A Company, Inc. <jane@a.example>": {"name": "A Company, Inc.", "email": "jane@a.example"},
    "Jane Roe, Ph.D.": {"name": "Jane Roe, Ph.D."},
    "Institute of Science and Technology": {"name": "Institute of Science and Technology"},
    "Jane Roe and contributors": {"name": "Jane Roe and contributors"},
}

TWO = [
    "Jane Roe <jane@a.example>, John Doe <john@a.example>",
    "Jane Roe <jane@a.example>; John Doe <john@a.example>;",
    "Jane Roe <jane@a.example>\n   John Doe <john@a.example>",
    "Jane Roe <jane@a.example> John Doe <john@a.example>",
    "Jane Roe <jane@a.example> and John Doe <john@a.example>",
    "Jane Roe <jane@a.example>, and John Doe <john@a.example>",
    "Jane Roe <jane@a.example> & John Doe <john@a.example>",
    "Jane Roe jane@a.example, John Doe john@a.example",
]


@each_row(("text", "expected"), ONE.items())
def test_a_text_names_one_person(text: str, expected: dict[str, Any]) -> None:
    assert people_of(text) == [{"type": "Person", **expected}]


@each_row("text", TWO)
def test_a_text_names_two_persons(text: str) -> None:
    assert people_of(text) == [{"type": "Person", **JANE}, {"type": "Person", **JOHN}]


def test_full_names_are_separated_by_commas_and_by_and() -> None:
    found = people_of("Jane Roe, John Doe, Max van der Berg and Ana de la O")
    assert [each["name"] for each in found] == [
        *("Jane Roe", "John Doe", "Max van der Berg", "Ana de la O")
    ]


@each_row("text", ["", " ", "<>", "()", "-", ", ,", "<> ()", "\n"])
def test_a_text_without_name_and_address_names_nobody(text: str) -> None:
    assert people_of(text) == []


@each_row(
    "text", ["Jane Roe <jane@a.example> (a.example/~jane)", "Jane Roe (a.example) jane@a.example"]
)
def test_an_address_without_scheme_in_brackets_is_no_part_of_the_name(text: str) -> None:
    unused: list[str] = []
    assert people_of(text, unused) == [{"type": "Person", **JANE}]
    assert len(unused) == 1
