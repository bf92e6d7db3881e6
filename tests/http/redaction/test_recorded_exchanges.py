"""From the wire to the archive: exchanges of the client as WARC records without secrets."""

import gzip
import io
from pathlib import Path

import pytest
from warcio.cli import main as warcio

from indexer.http.fetching import Request
from indexer.http.fetching.credentials import bearer, query_key
from indexer.http.redaction import Secrets, redacted
from indexer.warc.exchanges import WireExchange, write_exchange
from indexer.warc.writer import Writer
from tests.http.fetching.clients import client
from tests.http.fetching.raw import Conversations, serving
from tests.warc.wire import blocks, by_us

TOKEN, KEY = "hunter2/hunter2+", "k3y-k3y-k3y"
FORM = b"grant_type=refresh&refresh_token=hunter2%2Fhunter2%2B"
MOVED = (
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 307 \r\nLocation: /b?api_key=k3y-k3y-k3y&c=d\r\n"
    b"Content-Length: 0\r\n\r\n"
)
ANSWER = b'{"ok": true, "you_sent": "refresh_token=hunter2\\/hunter2+"}'
PAGE = b"<p>no secrets"


def chunked(body: bytes) -> bytes:
    """An answer that is compressed, and in two chunks with an extension and a trailer."""
    data = gzip.compress(body, mtime=0)
    parts = b"".join(b"%x;x=y\r\n%b\r\n" % (len(part), part) for part in (data[:20], data[20:]))
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + parts + b"0\r\nX-Trailer: 1\r\n\r\n"


def test_a_recorded_chain_is_read_back_byte_for_byte_without_its_secrets(tmp_path: Path) -> None:
    file = io.BytesIO()
    writer = Writer(file)
    secrets = Secrets(values=[TOKEN, KEY])

    def record(exchange: WireExchange) -> None:
        with redacted(exchange, secrets) as clean:
            write_exchange(writer, clean)

    server = Conversations([MOVED], [chunked(ANSWER)], [chunked(PAGE)])
    with serving(server, read=False) as raw, client() as own:
        auth = [bearer(raw.url, TOKEN), query_key(raw.url, "api_key", KEY)]
        for method, body in (("POST", FORM), ("GET", None)):
            own.ask(
                Request(url=f"{raw.url}/a?é", method=method, body=body, auth=auth, record=record)
            )
    archive = file.getvalue()
    sent = [request for connection in server.requests for request in connection]
    clean = [
        request.replace(TOKEN.encode(), b"REDACTED")
        .replace(b"Bearer REDACTED", b"REDACTED")
        .replace(KEY.encode(), b"REDACTED")
        .replace(FORM, b"grant_type=refresh&refresh_token=REDACTED")
        .replace(b"Length: %d" % len(FORM), b"Length: %d" % (len(FORM) - 12))
        for request in sent
    ]
    moved, answer, page = (blocks(archive)[at] for at in (0, 2, 4))
    assert blocks(archive)[1::2] == clean
    assert moved == MOVED.partition(b"\r\n\r\n")[2].replace(KEY.encode(), b"REDACTED")
    assert answer == (
        b'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"ok": true, "you_sent": '
        b'"refresh_token=REDACTED"}'
    )
    assert page == chunked(PAGE)
    assert [each.headers.get("x-redacted") for each in by_us(archive)] == [
        "head", "head, body", "body, codings", "head, body", None, "head",
    ]  # fmt: skip
    uris = [each.headers["warc-target-uri"] for each in by_us(archive)]
    assert [uri.removeprefix(raw.url) for uri in uris] == [
        "/a?%C3%A9", "/a?%C3%A9", "/b?c=d", "/b?c=d", "/a?%C3%A9", "/a?%C3%A9",
    ]  # fmt: skip
    (tmp_path / "a.warc.gz").write_bytes(archive)
    with pytest.raises(SystemExit) as checked:
        warcio(["check", str(tmp_path / "a.warc.gz")])
    assert checked.value.code == 0
    for word in (b"hunter2", b"k3y"):
        assert word not in gzip.decompress(archive)
