"""Faults of records."""

import base64
import hashlib
from dataclasses import replace

import pytest

from indexer.warc.record import Record, digest, faults
from tests.each_row import each_row

BLOCK = b"HTTP/1.0 200 OK\r\n\r\n<p>page</p>"
HEADERS = {
    "warc-type": "response",
    "warc-record-id": "<urn:uuid:00000000-0000-4000-8000-000000000001>",
    "warc-date": "2024-05-01T12:00:00Z",
    "content-length": str(len(BLOCK)),
    "warc-block-digest": digest(BLOCK),
    "warc-payload-digest": digest(b"<p>page</p>"),
}
SOUND = Record(1, 0, "response", len(BLOCK), BLOCK, HEADERS)


def test_nothing_is_wrong_with_a_sound_record() -> None:
    assert list(faults(SOUND)) == []


@each_row(
    ("header", "value", "fault"),
    [
        ("warc-record-id", None, "no warc-record-id header"),
        ("warc-date", None, "no warc-date header"),
        ("content-length", None, "no content-length header"),
        ("warc-record-id", "urn:uuid:1", "WARC-Record-ID is not a URI in brackets"),
        ("warc-date", "2024-05-01 12:00:00", "WARC-Date is not YYYY-MM-DDThh:mm:ssZ"),
        ("warc-block-digest", digest(b"other"), "WARC-Block-Digest does not match"),
        ("warc-payload-digest", digest(b"other"), "WARC-Payload-Digest does not match"),
        ("warc-payload-digest", "sha1:", "WARC-Payload-Digest does not match"),
        ("warc-payload-digest", "crc:1", "WARC-Payload-Digest has an unknown algorithm"),
    ],
)
def test_a_wrong_header_is_reported(header: str, value: str | None, fault: str) -> None:
    headers = {name: text for name, text in {**HEADERS, header: value}.items() if text is not None}
    assert list(faults(replace(SOUND, headers=headers))) == [fault]


def test_a_wrong_length_is_reported() -> None:
    wrong = replace(SOUND, length=99)
    assert list(faults(wrong)) == [f"Content-Length is 99, the block has {len(BLOCK)} bytes"]


@pytest.mark.parametrize("algorithm", ["md5", "sha1", "SHA256", "sha512"])
@pytest.mark.parametrize("base", [16, 32])
def test_digests_are_read_in_every_usual_form(algorithm: str, base: int) -> None:
    raw = hashlib.new(algorithm, BLOCK).digest()
    value = raw.hex() if base == 16 else base64.b32encode(raw).decode()
    record = replace(SOUND, headers={**HEADERS, "warc-block-digest": f"{algorithm}:{value}"})
    assert list(faults(record)) == []


def test_a_record_needs_no_digests() -> None:
    headers = {name: value for name, value in HEADERS.items() if "digest" not in name}
    assert list(faults(replace(SOUND, headers=headers))) == []
