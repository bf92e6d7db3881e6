"""The corpus: every manifest is read as expected, and no reader overlooks what a file states."""

import json
from collections import Counter
from typing import Any

import pytest

from indexer.software.formats.extrinsic import EXTRINSIC
from indexer.software.formats.table import FORMATS
from indexer.software.vocabulary import contexts
from tests.software.corpus.compose import EXPECTED, FOLDER, reading

FLOOR = 0.95
"""The share of files whose stated terms are read (spec 11 and 12)."""

CORPUS: dict[str, dict[str, Any]] = {
    path.parent.name: json.loads(path.read_text("utf-8")) for path in FOLDER.glob(f"*/{EXPECTED}")
}


def text_of(form: str, name: str) -> str:
    """The text of a manifest."""
    return (FOLDER / form / name).read_text("utf-8")


def test_the_corpus_has_300_manifests_in_every_format_of_the_table() -> None:
    assert sum(len(files) for files in CORPUS.values()) >= 300
    assert {form.name for form in FORMATS} <= CORPUS.keys()
    assert {"github", "gitea", "sword-codemeta"} <= {form.name for form in EXTRINSIC.values()}


@pytest.mark.parametrize("form", sorted(CORPUS))
def test_every_manifest_is_read_as_expected(form: str) -> None:
    for name, expected in CORPUS[form].items():
        found = reading(form, text_of(form, name))
        assert found["document"] == expected["document"], name
        assert found["diagnostics"] == expected["diagnostics"], name


def test_no_manifest_is_without_a_file_and_no_file_without_an_expectation() -> None:
    written = {(path.parent.name, path.name) for path in FOLDER.glob("*/*.in")}
    assert written == {(form, name) for form, files in CORPUS.items() for name in files}


def states(document: dict[str, Any], term: str) -> bool:
    """Whether a document has a value of a term, also as a literal."""
    definition = contexts.terms("3.0")[term]
    return bool(document.get(term) or document.get(definition.name))


def test_what_a_file_states_of_the_columns_of_section_11_is_read() -> None:
    seen: Counter[str] = Counter()
    read: Counter[str] = Counter()
    for files in CORPUS.values():
        for expected in files.values():
            seen.update(expected["states"])
            read.update(term for term in expected["states"] if states(expected["document"], term))
    shares = {term: read[term] / seen[term] for term in seen}
    assert len(shares) == 5
    assert {term: share for term, share in shares.items() if share < FLOOR} == {}
