"""The existing merge: distinct values of all documents, nothing has precedence (spec 7)."""

from typing import Any

from indexer.software.compat.merging import merge
from tests.each_row import each_row

CONTEXT = "https://doi.org/10.5063/schema/codemeta-2.0"
FORGES = {"forge": "https://forgefed.org/ns#"}

CODE = {"type": "SoftwareSourceCode", "name": "a"}

ROWS: list[tuple[str, list[dict[str, Any]], dict[str, Any]]] = [
    ("no input", [], {}),
    ("one document", [CODE], CODE),
    ("conflicts keep their order", [{"name": "b"}, CODE], {**CODE, "name": ["b", "a"]}),
    ("equal values once", [{"version": "1"}, CODE, CODE], {**CODE, "version": "1"}),
    ("a number is no text", [{"name": 5}, {"name": "5"}], {"name": [5, "5"]}),
    (
        "authors are one list",
        [{"author": [{"name": "a"}]}, {"author": [{"name": "a"}, {"name": "b"}]}],
        {"author": [{"name": "a"}, {"name": "b"}]},
    ),
    (
        "the same person with and without e-mail stays",
        [{"author": [{"name": "a"}]}, {"author": [{"name": "a", "email": "e"}]}],
        {"author": [{"name": "a"}, {"name": "a", "email": "e"}]},
    ),
    (
        "later ids are texts of schema:sameAs",
        [{"id": "x:a", "name": "n"}, {"id": "x:b", "name": "n"}, {"id": "x:b", "name": "m"}],
        {"id": "x:a", "name": ["n", "m"], "schema:sameAs": "x:b"},
    ),
    ("documents of an id vanish", [{"id": "x:a"}, {"id": "x:b"}], {}),
    ("unknown properties vanish", [{"foo": "x", "name": "a"}], {"name": "a"}),
    ("types are a set", [{"type": "x:A"}, {"type": ["x:B", "x:A"]}], {"type": ["x:A", "x:B"]}),
]


@each_row(("why", "documents", "expected"), ROWS)
def test_documents_are_merged_as_the_existing_system_does(
    why: str, documents: list[dict[str, Any]], expected: dict[str, Any]
) -> None:
    merged = merge([{"@context": CONTEXT, **each} for each in documents])
    assert merged == {"@context": CONTEXT, **expected}, why


def test_documents_of_forges_lose_their_prefixes() -> None:
    document = {
        "@context": [CONTEXT, FORGES],
        "id": "https://a.example",
        "type": "forge:Repository",
    }
    assert merge([document]) == {
        "@context": CONTEXT,
        "id": "https://a.example",
        "type": "https://forgefed.org/ns#Repository",
    }


def test_merging_changes_no_document() -> None:
    documents = [{"@context": CONTEXT, "author": ["a"]}, {"@context": CONTEXT, "author": ["b"]}]
    assert merge(documents) == merge(documents)


def test_a_document_of_an_unknown_context_is_left_out() -> None:
    unknown = {"@context": "https://unknown.example", "name": "a"}
    assert merge([unknown, {"@context": CONTEXT, "version": "1"}])["version"] == "1"
