"""Compression bombs and random bytes."""

import gzip
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.errors import BadResponse, TooLarge
from indexer.http.fetching.encodings import PIECE, decoded
from tests.each_row import each_row
from tests.http.fetching.test_encodings import ENCODINGS, Encoder, split, undo

BOMB = bytes(8_000_000)


@pytest.mark.parametrize(("name", "encode"), ENCODINGS)
def test_a_bomb_is_cut_off_where_it_begins_to_grow(name: str, encode: Encoder) -> None:
    given = 0

    def chunks() -> Iterator[bytes]:
        nonlocal given
        for chunk in split(encode(BOMB), 100):
            given += 1
            yield chunk

    with pytest.raises(TooLarge, match="larger than 1000000 bytes"):
        b"".join(decoded(chunks(), name, 1_000_000))
    if name not in ("br", "zstd"):  # the whole bomb has only a few chunks
        assert given < 30


@each_row(("name", "encode"), ENCODINGS[:5])
def test_pieces_are_small_however_much_a_chunk_unpacks_to(name: str, encode: Encoder) -> None:
    pieces = decoded([encode(BOMB)], name, None)

    assert max(len(next(pieces)) for _ in range(20)) <= 2 * PIECE


def test_a_bomb_that_an_outer_encoding_hides_is_cut_off_too() -> None:
    file_name_without_end = b"\x1f\x8b\x08\x08" + bytes(6) + b"a" * 5_000_000

    with pytest.raises(TooLarge):
        undo(gzip.compress(file_name_without_end), "gzip, gzip", 1_000_000)


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
@settings(max_examples=50)
@given(data=st.binary(max_size=2000))
def test_any_bytes_give_a_body_or_an_error_of_ours(name: str, data: bytes) -> None:
    with suppress(BadResponse, TooLarge):
        undo(data, name, 100_000, size=50)
