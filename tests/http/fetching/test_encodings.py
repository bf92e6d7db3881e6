"""Tests of decoding content encodings."""

import gzip
import zlib
from collections.abc import Callable, Iterator

import brotli  # type: ignore[import-untyped]  # it has no type information
import pytest
import zstandard

from indexer.errors import BadResponse, TooLarge
from indexer.http.fetching.encodings import capped, decoded
from tests.each_row import each_row

PAGE = b"<html>" + bytes(range(256)) * 1000


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


@each_row(("name", "encode"), ENCODINGS)
@each_row("size", [1, 7, 10_000_000])
def test_an_encoding_is_undone_whatever_the_chunks(name: str, encode: Encoder, size: int) -> None:
    data = PAGE if size > 1 else PAGE[:3000]

    assert undo(encode(data), name, size=size) == data


@each_row(("name", "encode"), ENCODINGS)
def test_half_a_page_is_an_error(name: str, encode: Encoder) -> None:
    data = encode(PAGE)

    with pytest.raises(BadResponse, match="ends too early"):
        undo(data[: len(data) // 2], name)


@pytest.mark.parametrize("name", ["gzip", "br", "zstd"])
def test_a_body_in_another_encoding_than_announced_is_an_error(name: str) -> None:
    with pytest.raises(BadResponse, match=f"not {name}"):
        undo(b"<html>plain text, no encoding at all</html>", name)


@each_row("name", ["", "identity", "utf-8", "none", "compress"])
def test_a_body_in_an_unknown_encoding_is_left_unchanged(name: str) -> None:
    assert undo(PAGE, name) == PAGE


def test_encodings_are_undone_from_the_last_to_the_first() -> None:
    assert undo(brotlied(gzip.compress(PAGE)), "gzip, br") == PAGE


def test_too_many_encodings_are_refused() -> None:
    with pytest.raises(BadResponse, match="4 content encodings"):
        undo(b"", "gzip, gzip, gzip, gzip")


@pytest.mark.parametrize("size", [1, 5, 10_000])
def test_gzip_members_may_follow_each_other(size: int) -> None:
    members = gzip.compress(b"one ") + gzip.compress(b"two ") + gzip.compress(b"three")

    assert undo(members, "gzip", size=size) == b"one two three"


@each_row("size", [1, 10_000])
@each_row(("name", "encode"), ENCODINGS[:4] + ENCODINGS[5:])
def test_bytes_after_the_end_of_a_stream_are_ignored(name: str, encode: Encoder, size: int) -> None:
    assert undo(encode(b"page") + b"rubbish", name, size=size) == b"page"


def test_endless_empty_members_are_refused() -> None:
    with pytest.raises(BadResponse, match="gzip members"):
        undo(gzip.compress(b"") * 5000, "gzip")


def test_an_empty_body_may_say_that_it_is_encoded() -> None:
    assert all(undo(b"", name) == b"" for name, _ in ENCODINGS)


def test_pieces_up_to_the_limit_come_through() -> None:
    assert b"".join(capped(iter([b"ab", b"cd"]), 4)) == b"abcd"
    with pytest.raises(TooLarge):
        b"".join(capped(iter([b"ab", b"cd"]), 3))
