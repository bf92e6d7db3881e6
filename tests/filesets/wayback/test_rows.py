"""The rows of the index: odd answers, and the order in which a capture is chosen."""

import json
from dataclasses import replace
from typing import Any

import pytest

from indexer.errors import FilesetError
from indexer.filesets.wayback.rows import COLUMNS, PUBLIC_COLUMNS, CDXRow, best, read_rows
from tests.each_row import each_row

DIGEST = "AAAQEAYEAUDAOCAJBIFQYDIOB4IBCEQT"
URL = "http://a.example/"
CELLS = {
    "urlkey": "example,a)/",
    "timestamp": "20200101000000",
    "original": URL,
    "mimetype": "text/html",
    "statuscode": "200",
    "digest": DIGEST,
    "redirect": "-",
    "robotflags": "-",
    "length": "700",
    "offset": "12",
    "filename": "items/a.warc.gz",
}


def answer(*changes: dict[str, str], columns: tuple[str, ...] = COLUMNS) -> bytes:
    lines = [[*columns], *([({**CELLS, **each})[name] for name in columns] for each in changes)]
    return json.dumps(lines).encode()


def test_a_row_has_the_facts_of_results() -> None:
    (row,) = read_rows(answer({}))
    assert row.facts == {
        "surt": "example,a)/",
        "datetime": "20200101000000",
        "url": URL,
        "mimetype": "text/html",
        "status_code": 200,
        "sha1b32": DIGEST,
        "sha1hex": bytes(range(20)).hex(),
        "warc_csize": 700,
        "warc_offset": 12,
        "warc_path": "items/a.warc.gz",
    }


def test_without_a_token_the_index_has_fewer_columns() -> None:
    (row,) = read_rows(answer({}, columns=PUBLIC_COLUMNS))
    assert (row.sha1b32, row.warc_csize, row.warc_path) == (DIGEST, 700, None)
    assert "warc_path" not in row.facts


@each_row(
    ("body", "count"),
    [
        (b"", 0),
        (b"\n", 0),
        (b"[]", 0),
        (answer(), 0),
        (answer({}, {"statuscode": "404"}), 2),
        (answer({"digest": "error"}), 0),
        (answer({"digest": "-"}), 0),
        (answer({"digest": "sha256:" + "a" * 64}), 0),
        (answer({"digest": "A" * 52}), 0),
        *((answer({name: "-"}, {}), 1) for name in ("length", "offset", "filename")),
        (answer({"timestamp": "2020"}), 0),
    ],
)
def test_only_rows_that_name_bytes_are_kept(body: bytes, count: int) -> None:
    assert len(read_rows(body)) == count


@each_row(
    "body",
    [
        b"<html><title>Wayback Machine</title>Internet Archive's services are offline</html>",
        b"org.archive.util.io.RuntimeIOException: Blocked Site Error\n",
        b'[["urlkey","timestamp"],["a","2"]]',
        json.dumps([[*COLUMNS], [*CELLS.values()][:9]]).encode(),
        json.dumps([[*COLUMNS], [*CELLS.values(), "more"]]).encode(),
        json.dumps([[*CELLS.values()]]).encode(),
        b'{"error": "quota"}',
        b'[["urlkey", null]]',
        b"[1]",
        b'[["urlkey","times',
        b"[" * 100_000,
        b"\xff\xfe\x00",
    ],
)
def test_another_answer_is_an_error(body: bytes) -> None:
    with pytest.raises(FilesetError, match="cdx-error"):
        read_rows(body)


@each_row(
    ("changes", "status"),
    [
        ({"original": "ftp://a.example/", "statuscode": "-"}, 226),
        (
            {"original": "ftp://a.example/", "statuscode": "-", "mimetype": "warc/revisit"},
            None,
        ),
        ({"statuscode": "-"}, None),
        ({"statuscode": "³"}, None),
    ],
)
def test_a_status_may_be_missing(changes: dict[str, str], status: int | None) -> None:
    assert read_rows(answer(changes))[0].status_code == status


ROW = CDXRow("example,a)/", "20200101000000", URL, "text/html", 200, DIGEST, 7, 1, "a/b.warc.gz")


def other(**changes: Any) -> CDXRow:
    return replace(ROW, **changes)


@each_row(
    ("better", "worse"),
    [
        (other(status_code=404), other(url="https://a.example/")),
        (other(status_code=200), other(status_code=301, datetime="20260101000000")),
        (other(status_code=226), other(status_code=206)),
        (other(status_code=301), other(status_code=404)),
        (other(status_code=503), other(status_code=None)),
        (other(mimetype="text/csv"), other(datetime="20260101000000")),
        (other(), other(mimetype="warc/revisit", sha1b32="B" * 32, datetime="20260101000000")),
        (other(datetime="20210301000000"), other(datetime="20260101000000")),
        (other(datetime="20200101000001"), other()),
        (other(), other(warc_path="spn.warc.gz")),
        (other(), other(warc_path=None)),
    ],
)
def test_the_order_of_captures(better: CDXRow, worse: CDXRow) -> None:
    for rows in ([better, worse], [worse, better]):
        found = best(rows, URL, "text/csv", "20210615000000")
        assert found
        assert found.row == better


def test_a_revisit_is_resolved_to_its_original() -> None:
    # The original was captured under another URL with the same key.
    original = other(url="https://a.example/", datetime="20190101000000")
    revisit = other(mimetype="warc/revisit", status_code=None)
    later = other(url="https://a.example/", datetime="20230101000000", sha1b32="B" * 32)
    found = best([original, revisit, later], URL)
    assert found
    assert (found.row, found.revisit) == (original, replace(revisit, status_code=200))
    assert best([revisit], URL) == (revisit, None)


def test_only_a_capture_of_the_time_is_chosen() -> None:
    assert best([ROW], URL, datetime="20200101000001", exact=True) is None
    found = best([ROW, other(datetime="20260101000000")], URL, datetime=ROW.datetime, exact=True)
    assert found == (ROW, None)
    assert best([], URL) is None
