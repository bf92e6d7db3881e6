"""Contexts are known offline by all their addresses; others are refused, never fetched."""

import pytest

from indexer.errors import UnreadableManifest
from indexer.software.compat.jsonld.context import VERSION_OF, context_of
from indexer.software.syntax.tree import Tree
from tests.each_row import each_row


@each_row("url", [*VERSION_OF])
def test_each_address_of_a_known_context_has_its_terms(url: str) -> None:
    for spelling in (url, f"{url}/", url.upper()):
        assert context_of(spelling).iri("name", in_vocabulary=True) == "http://schema.org/name"


@each_row("value", ["https://w3id.org/codemeta/3.1", "codemeta.jsonld", "", 5, [None, "x"]])
def test_an_unknown_context_is_refused(value: Tree) -> None:
    with pytest.raises(UnreadableManifest):
        context_of(value)


@each_row(
    ("context", "text", "iri"),
    [
        ({"a": "https://a.example/"}, "a:b", "https://a.example/b"),
        ({"a": {"@id": "https://a.example/"}}, "a:b", "a:b"),
        ({"p": "https://a.example/", "b": "p:c"}, "b", "https://a.example/c"),
        ({"@vocab": "https://a.example/"}, "b", "https://a.example/b"),
        ({"b": None}, "b", ""),
        ({"b": {"@id": "@type"}}, "b", "@type"),
        ([{"a": "https://a.example/"}, None], "a:b", "a:b"),
        ({}, "http://a.example/b", "http://a.example/b"),
        ({}, "b", "b"),
    ],
)
def test_a_text_stands_for_an_iri(context: Tree, text: str, iri: str) -> None:
    assert context_of(context).iri(text, in_vocabulary=True) == iri
