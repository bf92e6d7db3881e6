"""Exchanges over HTTP as WARC records, read back by the libraries that others use."""

from indexer.warc.exchanges import Truncation
from tests.each_row import each_row
from tests.warc.wire import GET, OK, archived, blocks, by_us, by_warcio, exchange


def test_an_exchange_is_a_response_and_its_request() -> None:
    response, request = by_warcio(archived(exchange()))
    assert response == (
        {
            "WARC-Type": "response",
            "WARC-Record-ID": "<urn:uuid:00000000-0000-4000-8000-000000000001>",
            "WARC-Date": "2026-11-22T08:30:15Z",
            "WARC-Target-URI": "http://site.example/a",
            "WARC-IP-Address": "192.0.2.7",
            "Content-Type": "application/http; msgtype=response",
            "WARC-Block-Digest": "sha1:YS65BES4VUH7KGDBK5A36TTCGRSBY563",
            "WARC-Payload-Digest": "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
            "Content-Length": "48",
        },
        OK + b"\r\nabc",
    )
    assert request.headers["WARC-Type"] == "request"
    assert request.headers["Content-Type"] == "application/http; msgtype=request"
    assert request.headers["WARC-Concurrent-To"] == response.headers["WARC-Record-ID"]
    for name in ("WARC-Date", "WARC-Target-URI", "WARC-IP-Address"):
        assert request.headers[name] == response.headers[name]


@each_row(
    "response",
    [
        OK + b"Content-Length: 0\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nX-Trailer: 1\r\n\r\n",
        OK + b"Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08 and more",
        OK + b"X-Name: \xff\xfe \xc3\xa9 \x00\r\n folded\r\nno colon\r\n\r\n\x00\xff",
        b"HTTP/1.1 200\r\n\r\nno reason",
        b"HTTP/1.1 204 No Content\r\n\r\n",
        b"HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n",
        b"HTTP/1.1 200 OK\nContent-Type: text/plain\n\nonly LF\r\n\r\nin the head",
        b"HTTP/1.1 200 OK\r\n \t\r\nX-Blank: line before\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nContent-Ty",
        b"<p>no head at all",
        OK + b"\r\n\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\n\r\n",
    ],
)
def test_a_response_is_read_back_byte_for_byte(response: bytes) -> None:
    assert blocks(archived(exchange(GET, response))) == [response, GET]


@each_row(
    "request",
    [
        b"POST /a HTTP/1.1\r\nHost: site.example\r\nContent-Length: 3\r\n\r\na=1",
        b"PUT /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
        b"HEAD /a HTTP/1.1\r\nHost: site.example\r\n\r\n",
        b"PROPFIND /a HTTP/1.1\r\nHost: site.example\r\n\r\n<a/>",
    ],
)
def test_a_request_is_read_back_byte_for_byte(request: bytes) -> None:
    response = OK + b"Content-Length: 3\r\n\r\n"
    assert blocks(archived(exchange(request, response))) == [response, request]


def test_redirects_are_exchanges_one_after_another() -> None:
    moved = b"HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\n"
    data = archived(exchange(GET, moved), exchange())
    assert blocks(data) == [moved, GET, OK + b"\r\nabc", GET]
    ids = [each.headers["warc-record-id"] for each in by_us(data)]
    assert [each.headers.get("warc-concurrent-to") for each in by_us(data)] == [
        None, ids[0], None, ids[2],
    ]  # fmt: skip


def test_a_payload_on_whose_start_readers_disagree_has_no_digest() -> None:
    only_lf = b"HTTP/1.1 200 OK\nX: 1\n\nabc"
    response, request = by_us(archived(exchange(GET, only_lf)))
    assert "warc-payload-digest" not in response.headers
    assert "warc-payload-digest" in request.headers


@each_row("truncation", list(Truncation))
def test_a_response_that_ends_early_says_why(truncation: Truncation) -> None:
    response, request = by_us(archived(exchange(GET, OK, truncation=truncation)))
    assert response.headers["warc-truncated"] == truncation.value
    assert "warc-truncated" not in request.headers


def test_without_a_response_there_is_a_request_of_its_own() -> None:
    (request,) = by_us(archived(exchange(GET, b"")))
    assert request.block == GET
    assert "warc-concurrent-to" not in request.headers


@each_row(
    ("url", "uri"),
    [
        ("http://site.example/a b\r\nX: y", "http://site.example/a%20b%0D%0AX:%20y"),
        ("http://site.example/é?q=ü", "http://site.example/%C3%A9?q=%C3%BC"),
    ],
)
def test_a_url_cannot_forge_a_header(url: str, uri: str) -> None:
    found = by_us(archived(exchange(url=url)))
    assert [each.headers["warc-target-uri"] for each in found] == [uri, uri]
