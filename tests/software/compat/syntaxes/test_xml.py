"""XML as the existing system reads it: trees of dictionaries, bounded, without entities."""

import pytest

from indexer.errors import UnreadableManifest
from indexer.software.compat.syntaxes.xml import read_element, read_xml
from indexer.software.syntax.tree import Tree
from tests.each_row import each_row


@each_row(
    ("text", "tree"),
    [
        ("<a/>", {"a": None}),
        ("<a> x </a>", {"a": "x"}),
        ('<a b="c"/>', {"a": {"@b": "c"}}),
        ('<a b="c">x</a>', {"a": {"@b": "c", "#text": "x"}}),
        ("<a><b>1</b><b>2</b><b/></a>", {"a": {"b": ["1", "2", None]}}),
        ("<p:a xmlns:p='x'/>", {"p:a": {"@xmlns:p": "x"}}),
        ("<a>x<!-- c -->y</a>", {"a": "xy"}),
    ],
)
def test_a_document_is_a_tree_of_dictionaries(text: str, tree: Tree) -> None:
    assert read_xml(text.encode()) == tree


def test_an_element_has_its_namespace() -> None:
    root = read_element(b'<a xmlns="urn:x"><b xmlns="">t</b></a>')
    assert (root.namespace, root.name) == ("urn:x", "a")
    assert [(each.namespace, each.name, each.text) for each in root.children] == [("", "b", "t")]


@each_row("content", [b"", b"x", b"<a>", b"<a>" * 1_000, b'<!DOCTYPE a [<!ENTITY b "c">]><a/>'])
def test_what_is_no_bounded_xml_is_refused(content: bytes) -> None:
    with pytest.raises(UnreadableManifest):
        read_xml(content)
