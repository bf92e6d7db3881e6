"""Writing WARC records."""

import gzip
import io
import zlib
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from indexer.errors import ArchiveError
from indexer.warc.reader import read
from indexer.warc.record import Record, digest, faults
from indexer.warc.writer import Writer, new_id, target_uri
from tests.each_row import each_row
from tests.warc.records import NOON, pages, writer

PAGE = b"<p>hello</p>"


def written(file: io.BytesIO) -> list[Record]:
    file.seek(0)
    found = list(read(file))
    assert all(isinstance(each, Record) for each in found)
    return [each for each in found if isinstance(each, Record)]


def test_the_same_records_make_the_same_bytes() -> None:
    assert pages(PAGE, b"")[0] == pages(PAGE, b"")[0]


def test_a_record_is_text_that_one_can_read() -> None:
    data, _ = pages(PAGE)
    assert gzip.decompress(data).decode() == (
        "WARC/1.0\r\n"
        "WARC-Type: response\r\n"
        "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n"
        "WARC-Date: 2024-05-01T12:00:00Z\r\n"
        "WARC-Target-URI: http://site.example/0\r\n"
        "WARC-Payload-Digest: sha1:EH2SPSI2J7IA53E7X7MLVOIBNGZPXYIP\r\n"
        "Content-Type: application/http; msgtype=response\r\n"
        "WARC-Block-Digest: sha1:OH62VS7S5CE4HCWHZLCK4X5RCH3CMFEE\r\n"
        "Content-Length: 56\r\n"
        "\r\n"
        "HTTP/1.0 200 OK\r\n"
        "Content-Type: text/html\r\n"
        "\r\n"
        "<p>hello</p>\r\n\r\n"
    )


def test_records_have_the_bytes_that_warcio_gives_them() -> None:
    file, expected = io.BytesIO(), io.BytesIO()
    to, warcio = writer(file), WARCWriter(expected, gzip=False, warc_version="WARC/1.0")
    uri, fields = "http://site.example/a?b", {"Content-Type": "text/html", "X-Empty": ""}
    ids = [
        to.response(uri, "404 HUH?", fields, PAGE),
        to.metadata("<urn:x>", uri, "application/json", b"{}"),
        to.info("a.warc.gz", {"software": "test", "format": "WARC file version 1.0"}),
    ]
    info = b"software: test\r\nformat: WARC file version 1.0\r\n"
    http = StatusAndHeaders("404 HUH?", [*fields.items()], protocol="HTTP/1.0")
    page, about = {"WARC-Target-URI": uri}, {"WARC-Refers-To": "<urn:x>", "WARC-Target-URI": uri}
    written: list[tuple[str, bytes, dict[str, str], StatusAndHeaders | None]] = [
        ("response", PAGE, {**page, "WARC-Payload-Digest": digest(PAGE)}, http),
        ("metadata", b"{}", {**about, "WARC-Payload-Digest": digest(b"{}")}, None),
        ("warcinfo", info, {"WARC-Filename": "a.warc.gz"}, None),
    ]
    types = ("application/http; msgtype=response", "application/json", "application/warc-fields")
    for id, type, (kind, block, headers, head) in zip(ids, types, written, strict=True):
        begin = {"WARC-Type": kind, "WARC-Record-ID": id, "WARC-Date": f"{NOON:%Y-%m-%dT%H:%M:%SZ}"}
        warcio.write_record(
            warcio.create_warc_record(
                "",
                kind,
                payload=io.BytesIO(block),
                length=len(block),
                warc_headers_dict=begin | headers | {"Content-Type": type},
                http_headers=head,
            )
        )
    assert gzip.decompress(file.getvalue()) == expected.getvalue()


def test_each_record_is_a_gzip_member_of_its_own() -> None:
    data, starts = pages(PAGE, b"x" * 100_000, b"")
    for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
        member = zlib.decompressobj(31)
        assert member.decompress(data[start:end]).startswith(b"WARC/1.0\r\n")
        assert member.eof
        assert not member.unused_data


def test_the_size_is_that_of_the_file() -> None:
    file = io.BytesIO()
    to = writer(file)
    to.info("a.warc.gz", {"software": "test"})
    to.response("http://site.example/", "200 OK", {}, PAGE)
    assert to.size == len(file.getvalue())


def test_digests_are_right_and_given_ones_are_used() -> None:
    file = io.BytesIO()
    to = writer(file)
    to.info("a.warc.gz", {"software": "test"})
    page = to.response("http://site.example/", "200 OK", {}, PAGE, payload_digest=digest(PAGE))
    to.metadata(page, "http://site.example/", "application/json", b"{}")
    to.response("http://site.example/", "200 OK", {}, PAGE, payload_digest=digest(b"other"))
    records = written(file)
    assert [list(faults(each)) for each in records[:3]] == [[], [], []]
    assert list(faults(records[3])) == ["WARC-Payload-Digest does not match"]


def test_metadata_refers_to_its_record() -> None:
    file = io.BytesIO()
    to = writer(file)
    page = to.response("http://site.example/", "200 OK", {}, PAGE)
    to.metadata(page, "http://site.example/", "application/json", b"{}")
    response, metadata = written(file)
    assert metadata.refers_to == response.id == page


def test_dates_are_whole_seconds_in_utc() -> None:
    file = io.BytesIO()
    moment = datetime(2024, 1, 1, 1, 30, 59, 999_999, timezone(timedelta(hours=2)))
    writer(file).response("http://site.example/", "200 OK", {}, PAGE, date=moment)
    assert written(file)[0].date == "2023-12-31T23:30:59Z"


def test_a_record_without_a_date_of_its_own_has_the_time_of_writing() -> None:
    assert written(io.BytesIO(pages(PAGE)[0]))[0].date == f"{NOON:%Y-%m-%dT%H:%M:%SZ}"


def test_a_record_without_a_url_has_the_header_nevertheless() -> None:
    # WARC 1.0, 5.12: mandatory for a response; warcio can't read one without.
    file = io.BytesIO()
    writer(file).response("", "200 OK", {}, PAGE)
    assert written(file)[0].headers["warc-target-uri"] == ""


@each_row("bad", ["a\r\nWARC-Type: x", "a\nb", "tab\there", "\x00", "é", "\x7f", "\ud800"])
def test_nothing_but_printable_ascii_reaches_a_header(bad: str) -> None:
    file = io.BytesIO()
    to = Writer(file)
    attempts: list[Callable[[], str]] = [
        lambda: to.info(bad, {}),
        lambda: to.info("a.warc.gz", {"hostname": bad}),
        lambda: to.response(bad, "200 OK", {}, PAGE),
        lambda: to.response("http://site.example/", bad, {}, PAGE),
        lambda: to.response("http://site.example/", "200 OK", {"Content-Type": bad}, PAGE),
        lambda: to.metadata(bad, "http://site.example/", "application/json", b"{}"),
        lambda: to.metadata("<urn:x>", "http://site.example/", bad, b"{}"),
    ]
    for attempt in attempts:
        with pytest.raises(ArchiveError, match="not allowed in a header"):
            attempt()
    assert file.getvalue() == b""


@each_row(
    ("url", "uri"),
    [
        ("https://site.example/a?b=c#d%20e", "https://site.example/a?b=c#d%20e"),
        ("https://site.example/اردو", "https://site.example/%D8%A7%D8%B1%D8%AF%D9%88"),
        (
            "http://a/\r\nWARC-Type: request\r\n\r\n",
            "http://a/%0D%0AWARC-Type:%20request%0D%0A%0D%0A",
        ),
        ("http://a/\x00\x7f\x85\ud800", "http://a/%00%7F%C2%85%ED%A0%80"),
        ("http://a/" + "é" * 5000, "http://a/" + "%C3%A9" * 1331 + "%C3"),
    ],
)
def test_only_printable_ascii_is_in_a_uri(url: str, uri: str) -> None:
    assert target_uri(url) == uri


def test_record_ids_are_uuids_in_brackets() -> None:
    assert new_id().startswith("<urn:uuid:")
    assert new_id() != new_id()
