"""Documents in gzip, recognised by their first bytes."""

import gzip

import pytest

from indexer.errors import BadFeed
from indexer.feeds.reading.unpacking import document, first_bytes
from tests.each_row import each_row

BODY = b"<rss>" + b"x" * 100_000 + b"</rss>"


def test_what_is_no_gzip_is_as_it_is() -> None:
    assert document(BODY) is BODY
    assert document(b"") == b""


def test_gzip_is_told_by_its_first_bytes() -> None:
    assert document(gzip.compress(BODY)) == BODY


def test_the_limit_is_of_the_document() -> None:
    packed = gzip.compress(BODY)
    assert document(packed, len(BODY)) == BODY
    with pytest.raises(BadFeed, match="larger than the limit"):
        document(packed, len(BODY) - 1)


@each_row("size", [0, 1, 3, 10, 100])
def test_the_first_bytes_of_a_document(size: int) -> None:
    assert first_bytes(BODY, size) == BODY[:size]
    assert first_bytes(gzip.compress(BODY), size) == BODY[:size]


@pytest.mark.parametrize("body", [b"\x1f\x8b", b"\x1f\x8bno gzip"])
def test_of_what_is_damaged_there_are_none(body: bytes) -> None:
    assert first_bytes(body, 100) == b""
