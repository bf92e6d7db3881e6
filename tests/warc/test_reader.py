"""Reading WARC files: damage is reported, and the rest is read."""

import gzip
import io
import random
import re

from indexer.warc.reader import read
from indexer.warc.record import Damage, Record
from tests.each_row import each_row
from tests.warc.records import pages

BODIES = [b"<p>one</p>", random.Random(1).randbytes(200_000), b"", b"<p>four</p>"]
DATA, STARTS = pages(*BODIES)


def read_bytes(data: bytes) -> list[Record | Damage]:
    return list(read(io.BytesIO(data)))


def bodies(items: list[Record | Damage]) -> list[bytes | None]:
    return [each.http()[1] if isinstance(each, Record) else None for each in items]


def test_records_come_with_number_offset_and_headers() -> None:
    found = read_bytes(DATA)
    assert bodies(found) == BODIES
    assert [each.number for each in found] == [1, 2, 3, 4]
    assert [each.offset for each in found] == STARTS
    assert [each.uri for each in found if isinstance(each, Record)][1] == "http://site.example/1"
    assert all(each.kind == "response" for each in found if isinstance(each, Record))


def test_a_file_that_is_not_compressed_is_read_too() -> None:
    plain = gzip.decompress(DATA)
    found = read_bytes(plain)
    assert bodies(found) == BODIES
    assert all(plain[each.offset :].startswith(b"WARC/1.0") for each in found)


def test_a_file_compressed_as_a_whole_is_read_too() -> None:
    found = read_bytes(gzip.compress(gzip.decompress(DATA)))
    assert bodies(found) == BODIES
    assert {each.offset for each in found} == {0}


def test_a_stream_that_can_only_be_read_is_enough() -> None:
    class Pipe:
        def __init__(self) -> None:
            self._file = io.BytesIO(DATA)

        def read(self, size: int = -1, /) -> bytes:
            return self._file.read(size)

    assert bodies(list(read(Pipe()))) == BODIES


@each_row("cut", range(1, len(DATA) - STARTS[3], 7))
def test_a_truncated_last_record_is_reported_and_the_rest_read(cut: int) -> None:
    found = read_bytes(DATA[:-cut])
    assert bodies(found) == [*BODIES[:3], None]
    assert found[3] == Damage(4, STARTS[3], "ends in the middle of a record")


def test_a_changed_byte_costs_one_record() -> None:
    damaged = bytearray(DATA)
    damaged[STARTS[1] + 5000] ^= 1
    found = read_bytes(bytes(damaged))
    assert bodies(found) == [BODIES[0], None, *BODIES[2:]]


@each_row(
    "content",
    [
        b"garbage",
        b"",
        b"WARC/1.0\r\n",
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: x\r\n\r\n",
    ],
)
def test_a_member_that_is_no_record_is_no_story(content: bytes) -> None:
    found = read_bytes(DATA[: STARTS[1]] + gzip.compress(content) + DATA[STARTS[1] :])
    assert bodies(found)[0] == BODIES[0]
    assert bodies(found)[-1] == BODIES[-1]


@each_row("data", [b"<html>" * 1000, b"\x1f\x8b\x08" * 100, b"WARC", bytes(100_000)])
def test_a_file_that_is_no_archive_is_damage(data: bytes) -> None:
    found = read_bytes(data)
    assert found
    assert all(isinstance(each, Damage) for each in found)


def test_a_page_is_not_a_warc_file() -> None:
    (damage,) = read_bytes(b"<html>" * 1000)
    assert damage == Damage(1, 0, "not a WARC file: it doesn't start as one")


def test_an_empty_file_has_no_records() -> None:
    assert read_bytes(b"") == []


def test_names_of_headers_are_read_in_any_case() -> None:
    found = read_bytes(gzip.decompress(DATA).replace(b"WARC-Target-URI", b"warc-TARGET-uri"))
    assert isinstance(found[0], Record)
    assert found[0].uri == "http://site.example/0"


def test_a_record_that_is_too_large_is_not_held() -> None:
    plain = gzip.decompress(pages(b"<p>one</p>")[0])
    data = plain.replace(b"Content-Length: 54", b"Content-Length: 999999999", 1)
    assert read_bytes(data) == [Damage(1, 0, "a record of 999999999 bytes")]


RECORD = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 3\r\n\r\none\r\n\r\n"


@each_row(
    ("old", "new"),
    [
        (b"", b""),
        (b"1.0", b"1.1"),
        (b"1.0", b"0.18"),
        (b"1.0", b"2.0"),
        (b"\r\n", b"\n"),
        (b"WARC/", b"\r\nWARC/"),
        (b"Type: ", b"Type:"),
        (b"Type: response", b"Type:"),
        (b"Type: ", b"Type:\t"),
        (b"response", b"response  "),
        (b"response", b"Response"),
        (b"response", b"response\r\n  folded"),
        (b"response", b"response\r\nno header"),
        (b"response", b"response\r\nX: a: b\r\nx: c"),
        (b"response", b"response\r\nX Y: b"),
        (b"response", b"response\r\n: b"),
        (b"response", "response\r\nX: \u00fc".encode()),
        (b"response", b"response\r\nX: \xff"),
        (b"Length: 3", b"Length: 03"),
        (b"Length: 3", b"Length: +3"),
        (b"Length: 3", b"Length: 2"),
        (b"Length: 3", b"Length: 4"),
        (b"Length: 3", b"Length: 9"),
        (b"Length: 3", b"Length: " + b"9" * 5000),
        (b"Length: 3", b"Length: 2\r\nContent-Length: 3"),
        (b"\r\none", b"\r\ntwo\r\n\r\n"),
        (b"one\r\n\r\n", b"one"),
        (b"one\r\n\r\n", b"oneabcd"),
        (b"one\r\n\r\n", b"one\r\n\r\n\r\n"),
        (b"one\r\n\r\n", b"one\r\n\r\n" + RECORD),
    ],
)
def test_a_record_is_the_same_alone_in_its_member_and_among_others(old: bytes, new: bytes) -> None:
    """Members with one record in the usual form take a shorter way than all others."""
    changed = RECORD.replace(old, new, 1) if old else RECORD
    alone, (first, *among) = read_bytes(gzip.compress(changed)), read_bytes(RECORD + changed)
    assert isinstance(first, Record)
    assert [_content(each) for each in alone] == [_content(each) for each in among]


def _content(item: Record | Damage) -> tuple[object, ...]:
    if isinstance(item, Damage):
        return (re.sub("[0-9]+", "", item.why),)
    return item.kind, item.length, item.block, dict(item.headers)
