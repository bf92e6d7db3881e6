"""Links, texts that may be links, and objects with a URL."""

from indexer.software.readings.links import links, links_of_objects, links_or_texts
from indexer.software.rules.key_rule import ValueReader
from indexer.software.syntax.tree import Tree
from tests.each_row import each_row
from tests.software.readings.reading import reading

URL = "https://a.example/"


@each_row(
    ("reader", "value", "expected", "diagnosed"),
    [
        (links, URL, [URL], 0),
        (links, [URL, "urn:x:y"], [URL, "urn:x:y"], 0),
        (links, "a.example", [{"@value": "a.example"}], 1),
        (links, "https://a b", [{"@value": "https://a b"}], 1),
        (links, {"url": URL}, [], 1),
        (links_or_texts, "README.md", [{"@value": "README.md"}], 0),
        (links_or_texts, URL, [URL], 0),
        (links_of_objects, {"type": "x", "url": URL}, [URL], 0),
        (links_of_objects, [URL, {"url": "x"}, None], [URL, {"@value": "x"}], 1),
        (links_of_objects, {"email": "jane@a.example"}, [], 1),
        (links_of_objects, 3, [{"@value": "3"}], 1),
    ],
)
def test_only_absolute_urls_are_links(
    reader: ValueReader, value: Tree, expected: list[Tree], diagnosed: int
) -> None:
    found = reading(reader, value)
    assert found.values == expected
    assert len(found.diagnostics) == diagnosed
