"""Messages of the family: a request is never lost, whatever sent it; results keep their id."""

import json

import pytest

from indexer.errors import DecodeError
from indexer.filesets.messages import RequestMessage, ResultMessage
from indexer.filesets.request import BadRequest, IngestRequest
from tests.each_row import each_row

GIVEN = {"ingest_type": "dataset", "base_url": "https://a.example/1", "big": 2**70, "other": None}


def test_a_request_arrives_as_it_was_with_its_id() -> None:
    sent = RequestMessage(IngestRequest.of(GIVEN), "7")
    got = RequestMessage.load(sent.dump())
    assert isinstance(got.request, IngestRequest)
    assert (got.id, got.label) == ("7", "https://a.example/1")
    assert got.request.given.keys() == GIVEN.keys()


def test_a_bad_request_arrives_with_its_reason() -> None:
    sent = RequestMessage(BadRequest("not JSON: x", {"line": "junk"}), "7")
    got = RequestMessage.load(sent.dump())
    assert isinstance(got.request, BadRequest)
    assert (got.id, got.request.why, got.request.given) == ("7", "not JSON: x", {"line": "junk"})


@each_row("id", (None, 7, "", "a\x00b", "x" * 1000))
def test_the_message_of_another_program_has_the_hash_as_its_id(id: object) -> None:
    data = json.dumps({**GIVEN, "ingest_id": id}).encode()
    got = RequestMessage.load(data)
    assert len(got.id) == 32
    assert got.id == RequestMessage.load(data).id
    assert "ingest_id" not in got.request.given


@each_row("data", (b"", b"junk", b"[]", b"\xff\x00", b"[" * 100_000, b'{"ingest_type": "pdf"}'))
def test_a_message_that_is_no_request_is_a_bad_request(data: bytes) -> None:
    got = RequestMessage.load(data)
    assert isinstance(got.request, BadRequest)
    assert len(got.id) == 32


def test_a_path_that_is_not_unicode_travels() -> None:
    sent = ResultMessage({"request": GIVEN, "manifest": [{"path": "a\ud800\x00"}]}, "topic")
    assert ResultMessage.load(sent.dump(), sent.key).result == sent.result


def test_a_result_travels_under_its_topic() -> None:
    sent = ResultMessage({"status": "success", "request": GIVEN}, "ingest-fileset-results")
    assert ResultMessage.load(sent.dump(), sent.key).label == "https://a.example/1"
    with pytest.raises(DecodeError):
        ResultMessage.load(b"junk", sent.key)
