"""Texts and keywords: numbers are texts only where a number may be written."""

from indexer.software.readings.texts import keywords, strings, texts
from indexer.software.rules.key_rule import ValueReader
from indexer.software.syntax.tree import Tree
from tests.each_row import each_row
from tests.software.readings.reading import reading


@each_row(
    ("reader", "value", "expected", "diagnosed"),
    [
        (texts, " a ", ["a"], 0),
        (texts, ["a", 1.5, None, [" ", "b"]], ["a", "1.5", "b"], 0),
        (texts, [True, {}], [], 2),
        (strings, ["a", 1, ["b"]], ["a", "b"], 1),
        (keywords, ["b", "a b", 3], ["b", "a b"], 1),
        (keywords, "a b,  c;d\ne", ["a b", "c", "d", "e"], 0),
        (keywords, "a  b", ["a", "b"], 0),
        (keywords, "", [], 0),
        (keywords, {"a": 1}, [], 1),
    ],
)
def test_texts_are_read_and_all_else_is_diagnosed(
    reader: ValueReader, value: Tree, expected: list[Tree], diagnosed: int
) -> None:
    found = reading(reader, value)
    assert found.values == expected
    assert len(found.diagnostics) == diagnosed
