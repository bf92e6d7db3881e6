"""Tests of content encodings undone."""

import gzip
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress

import brotli  # type: ignore[import-untyped]  # it has no type information
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.errors import BadResponse, TooLarge
from indexer.http.fetching.encodings import PIECE, capped, decoded

PAGE = b"<html>" + bytes(range(256)) * 1000
BOMB = bytes(8_000_000)


def raw_deflate(data: bytes) -> bytes:
    machine = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return machine.compress(data) + machine.flush()


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


def brotlied(data: bytes) -> bytes:
    return bytes(brotli.compress(data, quality=1))


ENCODINGS = [
    ("gzip", gzip.compress),
    ("x-gzip", gzip.compress),
    ("deflate", zlib.compress),
    ("deflate", raw_deflate),
    ("br", brotlied),
    ("zstd", zstd),
]
Encoder = Callable[[bytes], bytes]


def split(data: bytes, size: int) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


def undo(data: bytes, encoding: str, limit: int | None = None, size: int = 4096) -> bytes:
    return b"".join(decoded(split(data, size), encoding, limit))


@pytest.mark.parametrize(("name", "encode"), ENCODINGS)
@pytest.mark.parametrize("size", [1, 7, 10_000_000])
def test_an_encoding_is_undone_whatever_the_chunks(name: str, encode: Encoder, size: int) -> None:
    data = PAGE if size > 1 else PAGE[:3000]

    assert undo(encode(data), name, size=size) == data


@pytest.mark.parametrize(("name", "encode"), ENCODINGS)
def test_half_a_page_is_an_error(name: str, encode: Encoder) -> None:
    data = encode(PAGE)

    with pytest.raises(BadResponse, match="ends too early"):
        undo(data[: len(data) // 2], name)


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
    if name not in ("br", "zstd"):  # the whole bomb takes but a few chunks there
        assert given < 30


@pytest.mark.parametrize(("name", "encode"), ENCODINGS[:5])
def test_pieces_are_small_however_much_a_chunk_unpacks_to(name: str, encode: Encoder) -> None:
    pieces = decoded([encode(BOMB)], name, None)

    assert max(len(next(pieces)) for _ in range(20)) <= 2 * PIECE


@pytest.mark.parametrize("name", ["gzip", "br", "zstd"])
def test_what_is_not_encoded_as_it_says_is_an_error(name: str) -> None:
    with pytest.raises(BadResponse, match=f"not {name}"):
        undo(b"<html>plain text, no encoding at all</html>", name)


@pytest.mark.parametrize("name", ["", "identity", "utf-8", "none", "compress"])
def test_what_is_not_known_is_left_as_it_is(name: str) -> None:
    assert undo(PAGE, name) == PAGE


def test_encodings_are_undone_from_the_last_to_the_first() -> None:
    assert undo(brotlied(gzip.compress(PAGE)), "gzip, br") == PAGE


def test_a_bomb_that_an_outer_encoding_hides_is_cut_off_too() -> None:
    file_name_without_end = b"\x1f\x8b\x08\x08" + bytes(6) + b"a" * 5_000_000

    with pytest.raises(TooLarge):
        undo(gzip.compress(file_name_without_end), "gzip, gzip", 1_000_000)


def test_too_many_encodings_are_refused() -> None:
    with pytest.raises(BadResponse, match="4 content encodings"):
        undo(b"", "gzip, gzip, gzip, gzip")


@pytest.mark.parametrize("size", [1, 5, 10_000])
def test_gzip_members_may_follow_each_other(size: int) -> None:
    members = gzip.compress(b"one ") + gzip.compress(b"two ") + gzip.compress(b"three")

    assert undo(members, "gzip", size=size) == b"one two three"


@pytest.mark.parametrize("size", [1, 10_000])
@pytest.mark.parametrize(("name", "encode"), ENCODINGS[:4] + ENCODINGS[5:])
def test_what_comes_after_the_end_is_overlooked(name: str, encode: Encoder, size: int) -> None:
    assert undo(encode(b"page") + b"rubbish", name, size=size) == b"page"


def test_endless_empty_members_are_refused() -> None:
    with pytest.raises(BadResponse, match="gzip members"):
        undo(gzip.compress(b"") * 5000, "gzip")


def test_an_empty_body_may_say_that_it_is_encoded() -> None:
    assert all(undo(b"", name) == b"" for name, _ in ENCODINGS)


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
@settings(max_examples=50)
@given(data=st.binary(max_size=2000))
def test_any_bytes_give_a_body_or_an_error_of_ours(name: str, data: bytes) -> None:
    with suppress(BadResponse, TooLarge):
        undo(data, name, 100_000, size=50)


def test_pieces_up_to_the_limit_come_through() -> None:
    assert b"".join(capped(iter([b"ab", b"cd"]), 4)) == b"abcd"
    with pytest.raises(TooLarge):
        b"".join(capped(iter([b"ab", b"cd"]), 3))
