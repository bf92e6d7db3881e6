"""Requests: every line is a request, or a bad one that says why."""

import re

import pytest

from indexer.filesets.request import BadRequest, IngestRequest
from tests.each_row import each_row

LINE = b'{"ingest_type":"dataset","base_url":" https://doi.org/10.1/A ","new":[1],"oa_status":null}'


def test_a_request_keeps_its_raw_url_and_all_keys() -> None:
    request = IngestRequest.read(LINE)
    assert request.base_url == " https://doi.org/10.1/A "
    assert request.given == {
        "ingest_type": "dataset",
        "base_url": " https://doi.org/10.1/A ",
        "new": [1],
        "oa_status": None,
    }


@each_row(
    ("line", "why"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[]", "not a JSON object"),
        (b'{"base_url":"https://a.example/"}', "ingest_type"),
        (b'{"ingest_type":"dataset"}', "missing required field `base_url`"),
        (b'{"ingest_type":"pdf","base_url":"https://a.example/"}', "ingest_type"),
        (b'{"ingest_type":"dataset","base_url":null}', "Expected `str`"),
        (b'{"ingest_type":"dataset","base_url":" "}', "empty"),
        (b'{"ingest_type":"dataset","base_url":"x","ext_ids":[]}', "Expected `object | null`"),
    ],
)
def test_a_line_that_is_no_request_says_why(line: bytes, why: str) -> None:
    with pytest.raises(BadRequest, match=re.escape(why)) as caught:
        IngestRequest.read(line)
    assert caught.value.status == "bad-request"


def test_a_bad_line_is_quoted_in_part_and_an_object_is_kept() -> None:
    with pytest.raises(BadRequest) as caught:
        IngestRequest.read(b"\x00" + b"x" * 5000)
    assert caught.value.given == {"line": "x" * 1600}
    with pytest.raises(BadRequest) as caught:
        IngestRequest.read(b'{"ingest_type":"pdf"}')
    assert caught.value.given == {"ingest_type": "pdf"}
