"""Recorded exchanges without their secrets, written as WARC records and read back."""

import base64
import gzip
import io
import random
import zlib
from typing import Any

import brotli  # type: ignore[import-untyped]  # it has no type information
import pytest
import zstandard

from indexer.errors import ArchiveError
from indexer.http.redaction import Secrets, redacted
from indexer.warc.exchanges import Truncation, WireExchange, write_exchange
from tests.each_row import each_row
from tests.warc.records import writer
from tests.warc.wire import GET, OK, Found, blocks, by_us, exchange

TOKEN = "hunter2/hunter2"
SECRETS = Secrets(
    headers=["Authorization", "Set-Cookie"],
    fields=["access_token", "client_secret"],
    values=[TOKEN],
)
PAGE = b'{"token": "hunter2\\/hunter2", "items": []}'
CLEAN = b'{"token": "REDACTED", "items": []}'


def stored(sent: WireExchange, **changed: Any) -> bytes:
    """A WARC file with an exchange without its secrets."""
    file = io.BytesIO()
    with redacted(sent, SECRETS, **changed) as clean:
        write_exchange(writer(file), clean)
    data = file.getvalue()
    assert len(blocks(data)) == len(by_us(data))
    assert b"hunter2" not in gzip.decompress(data)
    return data


def response(sent: bytes, **changed: Any) -> Found:
    """The record of a response."""
    return by_us(stored(exchange(GET, sent, **changed)))[0]


def chunked(body: bytes, size: int = 5) -> bytes:
    """A body in chunks with extensions, and with a trailer."""
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x;a=b\r\n%b\r\n" % (len(part), part) for part in parts) + (
        b"0\r\nX-Trailer: 1\r\n\r\n"
    )


def test_secrets_are_gone_from_each_part_of_an_exchange() -> None:
    form = b"grant_type=code&client_secret=abc&code=hunter2%2Fhunter2"
    request = (
        b"POST /a?access_token=abc HTTP/1.1\r\nAuthorization: Basic abc\r\n"
        b"Referer: http://b/?access_token=abc\r\nContent-Length: %d\r\n\r\n%b" % (len(form), form)
    )
    answer = b'{"access_token":"abc","id":1}'
    sent = OK + b"Set-Cookie: abc\r\nLocation: /?access_token=abc\r\n\r\n" + answer
    url = "http://site.example/a?access_token=abc"
    answered, asked = by_us(stored(exchange(request, sent, url=url)))
    assert asked.block == (
        b"POST /a?access_token=REDACTED HTTP/1.1\r\nAuthorization: REDACTED\r\n"
        b"Referer: http://b/?access_token=REDACTED\r\nContent-Length: 56\r\n\r\n"
        b"grant_type=code&client_secret=REDACTED&code=REDACTED"
    ).replace(b"56", b"52")
    assert answered.block == (
        OK + b"Set-Cookie: REDACTED\r\nLocation: /?access_token=REDACTED\r\n"
        b'Content-Length: 34\r\n\r\n{"access_token":"REDACTED","id":1}'
    )
    for found in (answered, asked):
        assert found.headers["warc-target-uri"] == "http://site.example/a?access_token=REDACTED"
        assert found.headers["x-redacted"] == "head, body"


@each_row(
    "sent",
    [
        OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"harmless"),
        OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunked(b"harmless"),
        OK + b"Transfer-Encoding: chunked\r\nContent-Encoding: br\r\n\r\n"
        + chunked(brotli.compress(b"harmless")),
        OK + b"\r\nharmless",
        b"HTTP/1.1 200 OK\nContent-Encoding: gzip\n\n" + gzip.compress(b"harmless"),
        b"HTTP/1.1 204 No Content\r\n\r\n",
        OK + b"Content-Encoding: gzip\r\nContent-Length: 500\r\n\r\n",
        OK + b"Content-Encoding: unknown\r\n\r\nharmless",
    ],
)  # fmt: skip
def test_a_message_without_secrets_keeps_its_bytes(sent: bytes) -> None:
    found = response(sent)
    assert found.block == sent
    assert "x-redacted" not in found.headers


def _zstandard(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


@pytest.mark.parametrize("in_chunks", [False, True])
@each_row(
    ("coding", "encode"),
    [
        (b"gzip", gzip.compress),
        (b"x-gzip", gzip.compress),
        (b"deflate", zlib.compress),
        (b"br", brotli.compress),
        (b"zstd", _zstandard),
        (b"identity", bytes),
        (b"gzip, br", lambda data: brotli.compress(gzip.compress(data))),
    ],
)
def test_a_body_with_a_secret_is_stored_without_its_codings(
    in_chunks: bool, coding: bytes, encode: Any
) -> None:
    head = OK + b"content-ENCODING : %b\r\nX-Kept: 1\r\n" % coding
    body = encode(PAGE)
    if in_chunks:
        sent = head + b"Transfer-Encoding:\r\n chunked\r\nTrailer: X\r\n\r\n" + chunked(body)
    else:
        sent = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
    found = response(sent)
    assert found.block == OK + b"X-Kept: 1\r\nContent-Length: 34\r\n\r\n" + CLEAN
    is_plain = coding == b"identity" and not in_chunks
    assert found.headers["x-redacted"] == ("body" if is_plain else "body, codings")


@each_row(
    ("extension", "trailer"), [(b"token=hunter2/hunter2", b""), (b"a", b"Set-Cookie: hunter2\r\n")]
)
def test_extensions_and_trailers_with_secrets_are_left_out(
    extension: bytes, trailer: bytes
) -> None:
    body = b"3;%b\r\nabc\r\n0;b\r\n%b\r\n" % (extension, trailer)
    found = response(OK + b"Transfer-Encoding: chunked\r\n\r\n" + body)
    assert found.block == OK + b"Content-Length: 3\r\n\r\nabc"
    assert found.headers["x-redacted"] == "codings"


@each_row(
    "lines",
    [
        b"Transfer-Encoding: chunked, identity\r\n",
        b"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n",
        b"X: a\r\n \t\r\nTransfer-Encoding : chunked\r\n",
    ],
)
def test_a_head_is_read_as_the_client_reads_it(lines: bytes) -> None:
    found = response(b"HTTP/1.1 200 OK\r\n" + lines + b"\r\n" + chunked(PAGE))
    assert found.block.endswith(b"\r\nContent-Length: 34\r\n\r\n" + CLEAN)
    plain = OK + b"X: a\rTransfer-Encoding: chunked\r\n\r\nharmless"
    assert response(plain).block == plain


def test_a_head_with_only_line_feeds_is_redacted() -> None:
    sent = b"HTTP/1.1 200\nSet-Cookie: hunter2\nTransfer-Encoding: chunked\n\n" + chunked(PAGE)
    assert response(sent).block == (
        b"HTTP/1.1 200\nSet-Cookie: REDACTED\nContent-Length: 34\n\n" + CLEAN
    )


def test_a_value_in_base64_is_found_in_an_echo_of_the_request() -> None:
    echo = base64.b64encode(f"someone:{TOKEN}".encode())
    found = response(OK + b'\r\n{"authorization": "Basic %b"}' % echo)
    assert found.block.endswith(b'{"authorization": "Basic c29tZW9uZTREDACTED"}')


GZIP, CHUNKED = b"Content-Encoding: gzip\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n"


@each_row(
    ("sent", "block"),
    [
        (OK + GZIP + gzip.compress(PAGE)[:-9], OK + b"Content-Length: 34\r\n\r\n" + CLEAN),
        (OK + GZIP + gzip.compress(PAGE)[:20], None),
        (OK + CHUNKED + b"2a\r\n" + PAGE[:30], OK + b"Content-Length: 22\r\n\r\n" + CLEAN[:22]),
        (OK + CHUNKED + b"2a\r\n" + PAGE[:10], None),
        (OK + CHUNKED + b"2", None),
        (OK[:20], None),
    ],
)
def test_a_response_that_ended_early_keeps_its_bytes_unless_a_secret_is_in_it(
    sent: bytes, block: bytes | None
) -> None:
    found = response(sent, truncation=Truncation.DISCONNECT)
    assert found.headers["warc-truncated"] == "disconnect"
    assert found.block == (sent if block is None else block)


NOISE = random.Random(1).randbytes(200_000)


@each_row(("body", "least"), [(gzip.compress(NOISE)[:-9] + b"\xff" * 9, 100_000), (b"no gzip", 0)])
def test_a_damaged_body_is_stored_as_far_as_it_can_be_decoded(body: bytes, least: int) -> None:
    found = response(OK + GZIP + body)
    assert found.headers["warc-truncated"] == "unspecified"
    head, _, kept = found.block.partition(b"\r\n\r\n")
    assert head == OK + b"Content-Length: %d" % len(kept)
    assert least <= len(kept)
    assert NOISE.startswith(kept)


def test_a_large_message_may_be_in_memory_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.http.redaction.messages._IN_MEMORY", 10)
    assert response(OK + b"\r\nhunter2%2Fhunter2").block.endswith(b"\r\n\r\nREDACTED")


def test_a_bomb_is_stored_up_to_the_limit() -> None:
    sent = OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(bytes(10_000_000))
    found = by_us(stored(exchange(GET, sent), limit=200_000))[0]
    assert found.headers["warc-truncated"] == "length"
    assert len(found.block) <= 200_000 + 100


def test_a_request_in_an_unknown_state_is_refused() -> None:
    post = b"POST /a HTTP/1.1\r\nContent-Encoding: gzip\r\n\r\n"
    with pytest.raises(ArchiveError, match="request can't be decoded"):
        stored(exchange(post + b"not gzip"))
    with pytest.raises(ArchiveError, match="without the end of its head"):
        stored(exchange(b"GET /a HTTP/1.1\r\n" + b"A: b\r\n" * 200_000))
