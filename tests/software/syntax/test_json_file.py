"""JSON: in every encoding, with the oddities of programs that write it, and within limits."""

import msgspec
import pytest

from indexer.errors import UnreadableManifest
from indexer.software.syntax.json_file import read_json, read_json_with_remarks
from tests.each_row import each_row


@each_row("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1"])
def test_a_document_in_any_encoding_is_read(encoding: str) -> None:
    assert read_json('{"name": "é"}'.encode(encoding)) == {"name": "é"}


@each_row(
    ("text", "value"),
    [
        ("NaN", "NaN"),
        ("-Infinity", "-Infinity"),
        ("1e999", "1e999"),
        ("1" * 5000, "1" * 5000),
        ('"a\nb"', "a\nb"),
        ('"\\ud800"', "?"),
        ('{"a": 1, "a": 2}', {"a": 2}),
    ],
)
def test_an_oddity_costs_no_file(text: str, value: object) -> None:
    tree = read_json(text.encode())
    assert tree == value
    assert msgspec.json.encode(tree)


@each_row(
    "text",
    ["", "{", '{"a": 1,}', "{} // remark", "[" * 100_000, '{"a":' * 5000, "[" * 65 + "]" * 65],
)
def test_what_is_no_json_or_too_deep_is_refused(text: str) -> None:
    with pytest.raises(UnreadableManifest):
        read_json(text.encode())


def test_a_file_of_too_many_values_is_refused() -> None:
    with pytest.raises(UnreadableManifest, match="100,000 values"):
        read_json(b"[" + b"1," * 100_001 + b"1]")


def test_remarks_and_last_commas_are_read_where_a_format_has_them() -> None:
    text = b'{ // one\n "a": "http://x//y, ]", /* two\n */ "b": [1, 2, ], }'
    assert read_json_with_remarks(text) == {"a": "http://x//y, ]", "b": [1, 2]}
