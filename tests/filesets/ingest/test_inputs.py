"""Lists of datasets as people and programs write them: each line is one request."""

import json
from io import BytesIO
from typing import Any

import pytest

from indexer.filesets.ingest.inputs import MAX_LINE, is_dataset, requests_of
from indexer.filesets.request import BadRequest, IngestRequest
from tests.each_row import each_row

DOI = "10.5281/zenodo.1"
URL = f"https://doi.org/{DOI}"
REQUEST = {"ingest_type": "dataset", "base_url": "https://a.example/1", "extra": 1}
RESULT = {"hit": False, "status": "platform-error", "request": REQUEST, "hops": []}


def read(data: bytes) -> list[IngestRequest | BadRequest]:
    return list(requests_of(BytesIO(data)))


def line(given: Any) -> bytes:
    return json.dumps(given).encode() + b"\n"


@each_row(
    ("data", "url"),
    (
        (b"10.5281/zenodo.1\n", URL),
        (b"\xef\xbb\xbf10.5281/zenodo.1\r\n", URL),  # saved by Excel as CSV UTF-8
        (b'"doi:10.5281/ZENODO.1",\r\n', URL),  # a spreadsheet's row with an empty cell
        (b"https://doi.org/10.5281/zenodo.1", URL),  # no line end
        (b"https://a.example/records/1\n", "https://a.example/records/1"),
        (line(REQUEST), "https://a.example/1"),
        (b"\xef\xbb\xbf" + line(REQUEST), "https://a.example/1"),
        (line(RESULT), "https://a.example/1"),
    ),
)
def test_a_line_is_a_doi_a_url_a_request_or_a_result(data: bytes, url: str) -> None:
    (request,) = read(data)
    assert isinstance(request, IngestRequest)
    assert request.base_url == url


def test_the_request_of_a_result_is_as_it_was() -> None:
    (request,) = read(line(RESULT))
    assert request.given == REQUEST


def test_the_result_of_a_single_file_asks_for_nothing() -> None:
    of_file = {**RESULT, "request": {**REQUEST, "ingest_type": "dataset-file"}}
    assert len(read(line(of_file) + line(RESULT))) == 1


@each_row(
    "data",
    (b"junk\n", b"{}\n", b"[1]\n", b"\xff\xfe1\n", line({"hit": 1, "request": {"line": "x"}})),
)
def test_any_other_line_is_a_bad_request_and_the_next_one_counts(data: bytes) -> None:
    bad, good = read(data + line(REQUEST))
    assert isinstance(bad, BadRequest)
    assert isinstance(good, IngestRequest)


def test_a_line_that_is_too_long_is_one_bad_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.filesets.ingest.inputs.MAX_LINE", 500)
    assert MAX_LINE > 1_000_000
    bad, good = read(b"x" * 1700 + b"\n" + line(REQUEST))
    assert isinstance(bad, BadRequest)
    assert isinstance(good, IngestRequest)


@each_row(
    ("text", "is_one"),
    (
        (DOI, True),
        ("https://zenodo.org/records/1", True),
        ("https://a.example/requests.jsonl", False),
        ("https://a.example/requests.jsonl.gz", False),
        ("requests.jsonl", False),
        ("s3://bucket/requests", False),
        ("data/10.5281", False),
    ),
)
def test_an_input_is_a_dataset_or_a_list(text: str, is_one: bool) -> None:
    assert is_dataset(text) == is_one
