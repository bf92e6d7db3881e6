"""Gzip members of a stream: damage to one doesn't affect the others."""

import gzip
import io
import random

from indexer.warc.members import CHUNK_BYTES, Gap, Member, Members
from tests.each_row import each_row

PARTS = [b"one", b"", random.Random(7).randbytes(3 * CHUNK_BYTES), b"four" * 50_000]
PACKED = [gzip.compress(part, mtime=0) for part in PARTS]
STARTS = [sum(map(len, PACKED[:number])) for number in range(len(PACKED))]


def split(data: bytes, limit: int = 1_000_000) -> list[Member | Gap]:
    return list(Members(io.BytesIO(data), limit))


def test_each_member_has_its_data_and_offset() -> None:
    expected = [Member(start, part) for start, part in zip(STARTS, PARTS, strict=True)]
    assert split(b"".join(PACKED)) == expected


def test_a_stream_that_gives_a_byte_at_a_time_is_read_too() -> None:
    class Dripping(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(min(size or 1, 1))

    data = PACKED[0] + PACKED[0]
    assert list(Members(Dripping(data))) == [Member(0, b"one"), Member(len(PACKED[0]), b"one")]


@each_row("size", [CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES])
def test_data_that_fills_a_buffer_is_read_whole(size: int) -> None:
    data = gzip.compress(bytes(size))
    assert split(data + data) == [Member(0, bytes(size)), Member(len(data), bytes(size))]
    assert split(data[:-1]) == [Gap(0, "ends in the middle of a record")]


def test_an_empty_stream_has_no_members() -> None:
    assert split(b"") == []


@each_row("position", [3, 12, len(PACKED[2]) // 2, len(PACKED[2]) - 6, -2])
def test_a_changed_byte_costs_one_member(position: int) -> None:
    damaged = bytearray(PACKED[2])
    damaged[position] ^= 0x55
    found = split(PACKED[0] + bytes(damaged) + PACKED[3])
    assert found[0] == Member(0, PARTS[0])
    assert isinstance(found[1], Gap)
    assert found[1].offset == len(PACKED[0])
    assert found[-1] == Member(len(PACKED[0] + PACKED[2]), PARTS[3])


@each_row("missing", [1, 4, 8, 100, len(PACKED[3]) - 1])
def test_a_member_that_ends_in_the_middle_is_reported(missing: int) -> None:
    found = split(PACKED[0] + PACKED[3][:-missing])
    assert found == [Member(0, b"one"), Gap(len(PACKED[0]), "ends in the middle of a record")]


def test_bytes_between_members_are_skipped() -> None:
    found = split(PACKED[0] + b"\x1f\x8bgarbage" + PACKED[0])
    assert isinstance(found[1], Gap)
    assert found[2] == Member(len(PACKED[0]) + 9, b"one")


def test_text_is_one_gap() -> None:
    assert split(b"<html>not an archive</html>" * 10_000) == [Gap(0, "not gzip")]


def test_gzip_errors_are_reported_without_numbers_of_zlib() -> None:
    (gap,) = split(b"\x1f\x8b\x08" + bytes([0xFF]) * 40)
    assert gap == Gap(0, "invalid gzip: unknown header flags set")


def test_a_member_that_unpacks_to_too_much_is_not_unpacked() -> None:
    bomb = gzip.compress(bytes(50_000_000))
    found = split(PACKED[0] + bomb + PACKED[0], limit=1_000_000)
    gap = Gap(len(PACKED[0]), "unpacks to more than 1000000 bytes")
    assert found == [Member(0, b"one"), gap, Member(len(PACKED[0] + bomb), b"one")]
