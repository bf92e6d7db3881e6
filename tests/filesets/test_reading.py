"""Results are read as this program, the existing system, editors and spreadsheets write them."""

from io import BytesIO
from typing import Any

import pytest

from indexer.errors import DecodeError
from indexer.filesets.reading import read_result, read_results
from tests.each_row import each_row


@each_row(
    ("line", "wanted"),
    [
        (b'\xef\xbb\xbf{"a": 1}\r\n', {"a": 1}),
        (b'{"a": "\\ud800"}', {"a": "\ud800"}),
        (b'{"a": NaN, "b": -Infinity}', {"a": None, "b": None}),
        (
            b'{"ingest_strategy": "web-fileset-bundle"}',
            {"ingest_strategy": "web-fileset-bundled"},
        ),
        (b'{"ingest_strategy": "web-fileset-bundled"}', {"ingest_strategy": "web-fileset-bundled"}),
        (
            b'{"fileset_file": {"file_meta": [{"size_bytes": 1}]}}',
            {"fileset_file": {"file_meta": {"size_bytes": 1}}},
        ),
        (b'{"file_meta": []}', {"file_meta": None}),
        (
            b'{"terminal": {"url": "u", "dt": "d", "status_code": 200}}',
            {"terminal": {"terminal_url": "u", "terminal_dt": "d", "terminal_status_code": 200}},
        ),
        (
            b'{"terminal": {"url": "u", "terminal_url": "t"}}',
            {"terminal": {"terminal_url": "t"}},
        ),
    ],
)
def test_a_line(line: bytes, wanted: dict[str, Any]) -> None:
    assert read_result(line) == wanted


@pytest.mark.parametrize(
    "line", [b"", b"[1]", b"{", b"\xff\xfe{\x00", b"[" * 100_000, b"7" * 9_999]
)
def test_another_line_is_an_error(line: bytes) -> None:
    with pytest.raises(DecodeError):
        read_result(line)


def test_each_line_of_a_file_is_a_result_or_an_error() -> None:
    file = BytesIO(b'\xef\xbb\xbf{"a": 1}\r\n\r\n{broken\n{"a": 2}')
    first, error, last = read_results(file)
    assert (first, last) == ({"a": 1}, {"a": 2})
    assert isinstance(error, DecodeError)
