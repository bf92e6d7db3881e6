"""CDXJ files: each page of a WARC file at its exact place, in the form that replay tools read."""

import gzip
import io
import json
from collections.abc import Mapping
from typing import Any

from indexer.warc.cdxj import index_of
from tests.each_row import each_row
from tests.warc.records import pages, writer

URL = "https://www.example.com/b?z=1&a=2"


def record(kind: str, block: bytes, **headers: str) -> bytes:
    """A record as another program writes it, not compressed."""
    fields = {
        "WARC-Type": kind,
        "WARC-Record-ID": "<urn:uuid:00000000-0000-4000-8000-000000000001>",
        "WARC-Date": "2024-05-01T12:00:00Z",
        "WARC-Target-URI": URL,
        "Content-Type": "application/http; msgtype=response",
        **{name.replace("_", "-"): value for name, value in headers.items()},
        "Content-Length": str(len(block)),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value)
    return f"WARC/1.0\r\n{head}\r\n".encode() + block + b"\r\n\r\n"


def entries(data: bytes) -> list[Mapping[str, Any]]:
    """The JSON of each line."""
    return [json.loads(line.split(b" ", 2)[2]) for line in index_of(io.BytesIO(data), "x").lines]


PAGE = b"HTTP/1.1 404 Not Found\r\ncontent-TYPE: text/html;charset=x\r\n\r\nbody"


def test_a_line_is_that_of_cdxj_indexer() -> None:
    index = index_of(io.BytesIO(gzip.compress(record("response", PAGE))), "a.warc.gz")
    assert index.damages == []
    (line,) = index.lines
    size = len(gzip.compress(record("response", PAGE)))
    # cdxj-indexer 1.5.0 wrote this line.
    assert line.decode() == (
        'com,example)/b?a=2&z=1 20240501120000 {"url": "https://www.example.com/b?z=1&a=2", '
        '"mime": "text/html", "status": "404", "digest": "sha1:AIED6RLZ4CFGCJBFYDA2C7XEPLOXQO4U", '
        f'"length": "{size}", "offset": "0", "filename": "a.warc.gz"}}\n'
    )


def test_each_page_is_at_its_place_and_no_metadata_is_indexed() -> None:
    file = io.BytesIO()
    to = writer(file)
    to.info("x", {"software": "test"})
    starts = []
    for number in (10, 9, 2):
        starts.append((to.size, number))
        page = to.response(f"http://a.example/{number}", "200 OK", {}, b"page")
        end = to.size
        starts[-1] = (starts[-1][0], end - starts[-1][0])
        to.metadata(page, f"http://a.example/{number}", "application/json", b"{}")
    index = index_of(io.BytesIO(file.getvalue()), "x")
    assert list(index.lines) == sorted(index.lines)
    found = [(int(one["offset"]), int(one["length"])) for one in entries(file.getvalue())]
    assert sorted(found) == starts
    for offset, length in found:
        assert b"HTTP/1.0 200 OK" in gzip.decompress(file.getvalue()[offset : offset + length])


@each_row(
    ("what", "data", "expected"),
    [
        ("wget's brackets", record("response", PAGE, WARC_Target_URI=f"<{URL}>"), {"url": URL}),
        ("WARC 1.1's fractions", record("response", PAGE, WARC_Date="2024-05-01T12:00:00.5Z"), {}),
        ("no type", record("response", b"HTTP/1.0 200 OK\r\n\r\n"), {"mime": None}),
        ("no status", record("response", b"HTTP/1.0 None HUH?\r\n\r\n"), {"status": None}),
        ("a revisit", record("revisit", b"", WARC_Payload_Digest="x"), {"mime": "warc/revisit"}),
        (
            "a resource",
            record("resource", b"GIF", Content_Type="image/gif; x"),
            {"mime": "image/gif", "status": None},
        ),
    ],
)
def test_records_of_other_programs(what: str, data: bytes, expected: Mapping[str, str]) -> None:
    for file in (data, gzip.compress(data)):
        (entry,) = entries(file)
        assert entry["length"] == str(len(file))
        assert {name: entry.get(name) for name in expected} == expected


@each_row(
    ("what", "data", "why"),
    [
        ("no date", record("response", PAGE, WARC_Date=""), "WARC-Date is ''"),
        ("a date", record("response", PAGE, WARC_Date="2024-05-01"), "WARC-Date is '2024-05-01'"),
        ("no day", record("response", PAGE, WARC_Date="2024-02-30T12:00:00Z"), "WARC-Date is"),
        ("no URL", record("response", PAGE, WARC_Target_URI=""), "no WARC-Target-URI"),
        (
            "a long URL",
            record("response", PAGE, WARC_Target_URI="http://a.example/" + "%25" * 3000),
            "a URL of 9017 characters",
        ),
        ("garbage", b"x", "not gzip"),
    ],
)
def test_a_record_that_cannot_be_found_is_reported_and_the_others_indexed(
    what: str, data: bytes, why: str
) -> None:
    good = gzip.compress(record("response", PAGE))
    bad = data if data == b"x" else gzip.compress(data)
    index = index_of(io.BytesIO(good + bad + good), "x")
    assert [damage.why[: len(why)] for damage in index.damages] == [why]
    assert [int(one["offset"]) for one in entries(good + bad + good)] == [0, len(good + bad)]
    assert {one["length"] for one in entries(good + bad + good)} == {str(len(good))}


def test_pages_that_share_a_gzip_member_cannot_be_replayed() -> None:
    both = gzip.compress(record("response", PAGE) + record("response", PAGE))
    index = index_of(io.BytesIO(both), "x")
    assert index.lines == []
    assert [damage.number for damage in index.damages] == [1, 2]
    info = record("warcinfo", b"", Content_Type="application/warc-fields")
    assert index_of(io.BytesIO(gzip.compress(info + record("response", PAGE))), "x").lines == []


def test_a_file_that_was_cut_is_indexed_up_to_the_cut() -> None:
    data, starts = pages(b"one", b"two", b"three")
    assert [int(one["offset"]) for one in entries(data[:-5])] == starts[:2]
