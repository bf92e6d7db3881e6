"""The profile `compat`: each row of spec 6 as the existing system has it, and no crashes."""

import json
from pathlib import Path
from typing import Any

import pytest

from indexer.software.compat.table import MAPPINGS, CompatMapping, mapping_of, translate
from indexer.software.rules.property import Diagnostics
from tests.each_row import each_row
from tests.software.compat.translating import EXAMPLES, HERE, document, given, rows, said

HOSTILE = (
    b"",
    b"\xff\xfe\x00",
    b"null",
    b"1",
    b'"x"',
    b"[]",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"<a>" * 10_000,
    b"<a/>",
    b"a: &x [1]\nb: *x\n",
    b'{"@context": {"a": 1, "b": {"@id": 5}}, "a": "b"}',
    b'{"@context": [[[["http://schema.org"]]]], "name": {"@value": "a", "@type": "b"}}',
    b'{"html_url": {"a": "b"}}',
    b"1" * 10_000,
    b"Name: =?utf-8?b?a?=\n",
    b'<package><metadata><license x="expression">(MIT)</license></metadata></package>',
    b'{"@context": "http://schema.org", "name": "\\ud800", "html_url": "\\ud800"}',
)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_mapping_says_what_the_existing_system_says(path: Path) -> None:
    @each_row("row", [*rows(path)])
    def check(row: dict[str, Any]) -> None:
        assert said(path.stem, given(row)) == row["expected"], row["why"]

    check()


@each_row("row", [*rows(HERE / "narrow_choices.jsonl")])
def test_each_narrow_choice_is_kept(row: dict[str, Any]) -> None:
    assert document(row["mapping"], given(row)) == row["expected"], row["why"]


@each_row("mapping", MAPPINGS)
def test_no_file_makes_a_mapping_raise(mapping: CompatMapping) -> None:
    for content in HOSTILE:
        json.dumps(translate(content, mapping), ensure_ascii=False).encode()


def test_each_mapping_has_examples() -> None:
    others = {"coarnotify-mention-codemeta"}
    assert {path.stem for path in EXAMPLES} == {each.name for each in MAPPINGS} - others


def test_a_file_that_says_nothing_has_a_diagnostic() -> None:
    mapping, diagnostics = mapping_of("npm"), Diagnostics()
    assert mapping
    assert translate(b"[", mapping, diagnostics) is None
    assert next(each.why for each in diagnostics).startswith("not JSON")


def test_both_names_find_a_mapping() -> None:
    assert mapping_of("npm") is mapping_of("NpmMapping") is not None
    assert mapping_of("none") is None


def test_the_terms_of_a_mapping_include_those_of_special_rules() -> None:
    terms = {each.name: each.yields for each in MAPPINGS}
    schema = "http://schema.org/"
    assert {f"{schema}author", f"{schema}license", f"{schema}keywords"} <= terms["npm"]
    assert {f"{schema}license", f"{schema}codeRepository"} <= terms["maven"]
    assert f"{schema}author" in terms["pkg-info"]
    assert f"{schema}version" not in terms["pubspec"]


def test_every_value_is_among_the_terms_that_the_mapping_announces() -> None:
    for path in EXAMPLES:
        if path.stem in ("npm", "maven", "pkg-info", "cff", "nuget", "pubspec", "composer"):
            mapping = mapping_of(path.stem)
            assert mapping
            names = {iri.rpartition("/")[2] for iri in mapping.yields}
            for row in rows(path):
                for term in row["expected"] or ():
                    assert term.rpartition(":")[2] in {*names, "type"}, row["why"]
