"""YAML: scalars stay the texts of the file, and no alias multiplies them."""

import pytest

from indexer.errors import UnreadableManifest
from indexer.software.syntax.yaml_file import read_yaml
from tests.each_row import each_row

LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))


@each_row(
    ("text", "value"),
    [
        ("version: 1.10", {"version": "1.10"}),
        ("title: yes", {"title": "yes"}),
        ("date: 2020-01-01", {"date": "2020-01-01"}),
        ("a: ~\nb: null\nc:\nd: 'null'", {"a": None, "b": None, "c": None, "d": "null"}),
        ("1: one\ntrue: two", {"1": "one", "true": "two"}),
        ("a: !unknown x\nb: !!int '1'", {"a": "x", "b": "1"}),
        ("a: &x [1]\nb: *x", {"a": ["1"], "b": ["1"]}),
        ("--- \na: 1\n---\nb: 2", {"a": "1"}),
        ("# only a remark", {}),
        ("a: 1\na: 2", {"a": "2"}),
        ("text: |\n  two\n  lines\n", {"text": "two\nlines\n"}),
    ],
)
def test_scalars_are_the_texts_that_are_written(text: str, value: object) -> None:
    assert read_yaml(text.encode()) == value


@each_row("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_a_file_in_any_encoding_is_read(encoding: str) -> None:
    assert read_yaml("name: é".encode(encoding)) == {"name": "é"}


@each_row(
    ("text", "why"),
    [
        (LAUGHS, "aliases included"),
        ("[" * 100_000, "levels deep"),
        ("a: &a [*a]", "named 'a'"),
        ("a: [", "not YAML"),
        ("? [a, b]\n: c", "a key that is no text"),
        ("a: \x01", "not YAML"),
    ],
)
def test_hostile_and_broken_files_are_refused(text: str, why: str) -> None:
    with pytest.raises(UnreadableManifest, match=why):
        read_yaml(text.encode())
