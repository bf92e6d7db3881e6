"""Literals: texts in terms of IRIs and dates have the prefixed name of their term."""

from indexer.software.rules.property import Property
from indexer.software.syntax.tree import Tree
from indexer.software.translation.document import document
from tests.each_row import each_row


@each_row(
    ("term", "name"),
    [
        ("codeRepository", "schema:codeRepository"),
        ("issueTracker", "codemeta:issueTracker"),
        ("dateCreated", "schema:dateCreated"),
        ("description", "description"),
    ],
)
def test_a_literal_has_the_name_that_keeps_it_one(term: str, name: str) -> None:
    assert document([Property(term, {"@value": "x"}, "/k", "rule")])[name] == "x"


def test_equal_values_appear_once_whatever_the_order_of_their_keys() -> None:
    values: list[Tree] = [{"a": 1, "b": 2}, {"b": 2, "a": 1}, "x", "x", 1, True]
    found = document(Property("description", value, "/k", "rule") for value in values)
    assert found["description"] == [{"a": 1, "b": 2}, "x", 1, True]
