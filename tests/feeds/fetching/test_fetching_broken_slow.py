"""Each fault of a feed's server has the right status."""

import gzip
import socket
import zlib
from pathlib import Path
from typing import Any

import pytest

from indexer.feeds import statuses
from indexer.feeds.attempt import WORKING, Attempt
from indexer.http.connections import dialer
from tests.feeds.polls import client, poll
from tests.feeds.servers import (
    BOMB,
    CHUNKED,
    GZIPPED,
    OK,
    RSS,
    answer,
    encoded,
    found,
    in_turn,
    reset,
    silent,
)
from tests.http.connections.test_tls import TLSServer
from tests.http.fetching.raw import Talk, drip, flood, serving
from tests.patience import PATIENCE


def fetched(say: bytes | Talk, *, read: bool = True, **options: Any) -> Attempt:
    """Fetch a feed from a server that sends these bytes."""
    with serving(say, read=read) as server:
        return client(**options).fetch(poll(server.url))


NAMES = [
    (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "unknown hostname"),
    (socket.gaierror(socket.EAI_AGAIN, "Temporary failure"), "temporary DNS error"),
    (socket.gaierror(socket.EAI_FAIL, "Non-recoverable failure"), "DNS error"),
    (socket.gaierror(socket.EAI_NODATA, "No address"), "DNS error"),
    (socket.gaierror(socket.EAI_FAMILY, "Not supported"), "DNS error"),
    (OSError("no name servers"), "DNS error"),
    (UnicodeError("label too long"), "bad URL"),
    (RuntimeError("a bug"), "caught exception"),
]


@pytest.mark.parametrize(("error", "status"), NAMES, ids=[str(each[0])[:20] for each in NAMES])
def test_a_name_that_can_not_be_looked_up_has_a_status(error: Exception, status: str) -> None:
    def look_up(*_: Any, **__: Any) -> Any:
        raise error

    attempt = client(look_up=look_up).fetch(poll("http://news.test/feed"))

    assert attempt.status == status
    assert attempt.detail


URLS = [
    *("", " ", "news.example/feed", "//news.example/feed", "feed://news.example/feed"),
    *("mailto:a@news.example", "file:///etc/passwd", "ftp://news.example/feed", "data:,x"),
    *("javascript:alert(1)", "http://", "http:///feed", "http://:80/", "http://./"),
    *("http://news.example:99999/", "http://news.example:0/", "http://news.example:a/"),
    *(f"http://{'a' * 64}.example/", f"http://{'a.' * 127}example/", "http://a..example/"),
    *("http://ne ws.example/", "http://[::1/", "http://[v1.x]/", "http://1.2.3.4.5/"),
    *("http://news.example\x00/", "http://user:secret@news.example/", "http://%ff/"),
    "http://news.example/" + "a" * 9000,
]


@pytest.mark.parametrize("url", URLS, ids=[url[:30] for url in URLS])
def test_a_malformed_url_is_a_bad_url(url: str) -> None:
    attempt = client().fetch(poll(url))

    assert attempt.status == "bad URL"
    assert "secret" not in attempt.detail


INSIDE = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "0x7f.1", "[::1]", "[::ffff:10.0.0.1]"]


@pytest.mark.parametrize("host", INSIDE)
def test_private_addresses_are_refused(host: str) -> None:
    attempt = client(allow_address=[]).fetch(poll(f"http://{host}/"))

    assert attempt.status == "bad URL"
    assert "refused" in attempt.detail


SAID: list[tuple[str, bytes | Talk, str]] = [
    ("nothing", b"", "connection error"),
    ("reset", reset, "connection error"),
    ("closed in the status line", b"HTTP/1.1 2", "connection error"),
    ("another protocol", b"SSH-2.0-OpenSSH_9.2\r\n", "connection error"),
    ("no number", b"HTTP/1.1 abc\r\n\r\n", "connection error"),
    ("a small number", b"HTTP/1.1 99 Less\r\n\r\n", "connection error"),
    ("a page without a head", b"<html>hello</html>", "connection error"),
    ("the feed without a head", RSS, "connection error"),
    ("zeros", bytes(100), "connection error"),
    ("1001 headers", OK + b"X: y\r\n" * 1001 + b"\r\n" + RSS, "connection error"),
    ("a long header", OK + b"X: " + b"y" * 70_000 + b"\r\n\r\n", "connection error"),
    ("long headers", flood(OK, b"X: " + b"y" * 60_000 + b"\r\n"), "connection error"),
    ("two lengths", OK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n", "connection error"),
    ("endless 100", flood(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 999), "connection error"),
    ("cut off", OK + b"Content-Length: 99\r\n\r\n" + RSS[:20], "fetch error"),
    ("cut off before it begins", OK + b"Content-Length: 99\r\n\r\n", "fetch error"),
    ("longer than it says", OK + b"Content-Length: 5\r\n\r\n" + RSS, "fetch error"),
    ("longer than nothing", OK + b"Content-Length: 0\r\n\r\n" + RSS, "fetch error"),
    ("cut off in a chunk", CHUNKED + b"ff\r\n<rss>", "fetch error"),
    ("no last chunk", CHUNKED + b"5\r\n<rss>\r\n", "fetch error"),
    ("no chunk", CHUNKED + b"zz\r\n<rss>\r\n", "fetch error"),
    ("a chunk below zero", CHUNKED + b"-5\r\n<rss>\r\n0\r\n\r\n", "fetch error"),
    ("no gzip", encoded("gzip", RSS), "fetch error"),
    ("half of gzip", encoded("gzip", GZIPPED[:30]), "fetch error"),
    ("gzip without its end", encoded("gzip", GZIPPED[:-1]), "fetch error"),
    ("gzip with a wrong sum", encoded("gzip", GZIPPED[:-8] + b"abcdefgh"), "fetch error"),
    ("half of gzip in chunks", CHUNKED.replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n")
     + b"14\r\n" + GZIPPED[:20] + b"\r\n0\r\n\r\n", "fetch error"),
    ("no deflate", encoded("deflate", b"\x78\x9c" + RSS), "fetch error"),
    ("half of deflate", encoded("deflate", zlib.compress(RSS)[:20]), "fetch error"),
    ("no brotli", encoded("br", RSS), "fetch error"),
    ("no zstd", encoded("zstd", RSS), "fetch error"),
    ("encoded again and again", encoded("gzip, gzip, gzip, gzip", GZIPPED), "fetch error"),
    ("a bomb", encoded("gzip", BOMB), "fetch error"),
    ("a body without end", flood(OK + b"\r\n", b"x" * 9999), "fetch error"),
    ("chunks without end", flood(CHUNKED, b"5\r\nxxxxx\r\n" * 999), "fetch error"),
    ("trailers without end", flood(CHUNKED + b"0\r\n", b"X: y\r\n" * 999), "fetch error"),
    ("more than is taken", OK + b"Content-Length: 3000000\r\n\r\n", "fetch error"),
    ("no Location", answer("302 Found"), "HTTP 302 Found"),
    ("a blank Location", found("  "), "HTTP 302 Found"),
    ("to itself", found("/"), "too many redirects"),
    ("to itself by name", found("?"), "too many redirects"),
    ("to a mail address", found("mailto:a@news.example"), "bad URL"),
    ("to a file", found("file:///etc/passwd"), "bad URL"),
    ("to FTP", found("ftp://news.example/feed"), "bad URL"),
    ("to a script", found("javascript:alert(1)"), "bad URL"),
    ("to half an address", found("http://["), "bad URL"),
    ("to a long name", found(f"http://{'a' * 64}.example/"), "bad URL"),
    ("to no port", found("http://news.example:port/"), "bad URL"),
    ("with a password", found("http://user:secret@127.0.0.1/"), "bad URL"),
    ("to two places", found("/a", "302 Found", "Location: /b"), "bad URL"),
    ("to an address inside", found("http://169.254.169.254/latest"), "bad URL"),
    ("to a name inside", found("http://inside.test/"), "bad URL"),
    ("to nobody", found("http://127.0.0.1:1/"), "connection error"),
    ("to another time", found("/a", "302 Found", "Retry-After: 120"), "HTTP 302 Found"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("say", "status"), [each[1:] for each in SAID], ids=[each[0] for each in SAID]
)
def test_a_broken_response_has_a_status(say: bytes | Talk, status: str) -> None:
    attempt = fetched(
        say,
        max_html_bytes=1_000_000,
        max_encoded_bytes=1_000_000,
        resolve=["inside.test=10.0.0.1"],
    )

    assert attempt.status == status
    assert (attempt.pages, attempt.parts) == ([], [])
    assert attempt.answer is None or not attempt.answer.md5
    assert "secret" not in attempt.detail


SLOW: list[tuple[str, bytes | Talk, dict[str, float], str]] = [
    ("silence", silent(), {"read_timeout": 0.1}, "read timeout"),
    ("silence in the head", silent(OK + b"X: "), {"read_timeout": 0.1}, "read timeout"),
    ("silence in the body", silent(OK + b"\r\n<rss>"), {"read_timeout": 0.1}, "read timeout"),
    ("silence in a chunk", silent(CHUNKED + b"f\r\n<"), {"read_timeout": 0.1}, "read timeout"),
    ("a drip in the head", drip(OK, b"X: y\r\n"), {"total_timeout": 0.1}, "job timeout"),
    ("a drip", drip(OK + b"\r\n", b"x"), {"total_timeout": 0.1}, "job timeout"),
    ("chunk by chunk", drip(CHUNKED, b"1\r\nx\r\n"), {"total_timeout": 0.1}, "job timeout"),
    ("100 by 100", drip(b"", b"HTTP/1.1 100 C\r\n\r\n"), {"total_timeout": 0.1}, "job timeout"),
]


@pytest.mark.parametrize(
    ("say", "options", "status"), [each[1:] for each in SLOW], ids=[each[0] for each in SLOW]
)
def test_a_server_that_is_too_slow_is_given_up(
    say: bytes | Talk, options: dict[str, float], status: str
) -> None:
    with serving(say) as server:
        assert client(**options).fetch(poll(server.url)).status == status


def test_redirects_share_one_deadline() -> None:
    number = 0

    def on(sock: socket.socket) -> None:
        nonlocal number
        number += 1
        sock.sendall(found(f"/{number}"))

    assert fetched(on, max_redirects=5).status == "too many redirects"
    assert fetched(on, max_redirects=10**9, total_timeout=0.2).status == "job timeout"


def test_a_redirect_to_an_unknown_host_has_a_status() -> None:
    def look_up(host: str, port: int, **_: Any) -> Any:
        if host == "gone.test":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    with serving(found("http://gone.test/")) as server:
        attempt = client(look_up=look_up).fetch(poll(server.url))
    assert attempt.status == "unknown hostname"
    assert attempt.detail == "redirect to gone.test: no such host"


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (TimeoutError("timed out"), "connect timeout"),
        (OSError(113, "No route to host"), "connection error"),
        (OSError(101, "Network is unreachable"), "connection error"),
        (ConnectionRefusedError(111, "Connection refused"), "connection error"),
    ],
)
def test_an_unreachable_server_has_a_status(
    monkeypatch: pytest.MonkeyPatch, error: OSError, status: str
) -> None:
    def connect(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(dialer, "_connect", connect)

    assert client().fetch(poll("http://127.0.0.1/")).status == status


TLS = [
    ("self-signed", {}),
    ("expired", {"expired": True}),
    ("of another name", {"name": "other.test"}),
]


@pytest.mark.parametrize(("made"), [each[1] for each in TLS], ids=[each[0] for each in TLS])
def test_a_bad_certificate_is_an_ssl_error(tmp_path: Path, made: dict[str, Any]) -> None:
    server = TLSServer(tmp_path, **made)
    with serving(server.talk(answer()), read=False) as running:
        given = {"resolve": [f"*.test=127.0.0.1:{running.port}"]}
        feed = poll("https://news.test/")
        attempt = client(**given).fetch(feed)
        unchecked = client(**given, verify_certificates=False).fetch(feed)
    assert attempt.status == "SSL error"
    assert unchecked.status == WORKING


def test_an_unreachable_proxy_has_its_own_status() -> None:
    attempt = client(proxy="http://127.0.0.1:1").fetch(poll("http://news.example/feed"))
    assert (attempt.status, attempt.parts) == ("proxy error", [])


@pytest.mark.parametrize(
    ("say", "timeout", "status"),
    [
        (answer("400 Bad Request"), PATIENCE, "SSL error"),
        (b"\x16\x03\x01garbage" * 9, PATIENCE, "SSL error"),
        (silent(), 0.3, "read timeout"),
    ],
    ids=["plain", "garbage", "silence"],
)
def test_a_server_without_tls_has_a_status(say: bytes | Talk, timeout: float, status: str) -> None:
    with serving(say) as server:
        attempt = client(read_timeout=timeout).fetch(poll(server.url.replace("http:", "https:")))
    assert attempt.status == status


HARD, SOFT = statuses.Severity.HARD, statuses.Severity.SOFT
CODES = [
    *((f"{code} Because", HARD) for code in (201, 202, 204, 205, 300, 305, 306, 400, 401, 402)),
    *((f"{code} Because", HARD) for code in (403, 405, 406, 409, 410, 411, 418, 422, 431, 451)),
    *((f"{code} Because", SOFT) for code in (404, 408, 425, 429, 500, 501, 502, 503, 504, 520)),
    *((f"{code} Because", SOFT) for code in (525, 530, 598, 599)),
    *((f"{code} Because", HARD) for code in (600, 999)),
    ("404", SOFT),
    ("404 ", SOFT),
    ("503 Dienst nicht verf\u00fcgbar", SOFT),
    ("206 Partial Content", HARD),
]


@pytest.mark.parametrize(("said", "severity"), CODES)
def test_any_other_response_is_a_status_of_its_own(said: str, severity: statuses.Severity) -> None:
    attempt = fetched(answer(said))

    assert attempt.status == f"HTTP {said}".strip()
    assert statuses.severity(attempt.status) == severity
    assert attempt.answer is not None
    assert (attempt.answer.code, attempt.parts) == (int(said[:3]), [])


def test_a_reason_is_one_line_and_not_long() -> None:
    attempt = fetched(answer("500 \x00Bad\x1b[31m\t" + "x" * 9000))

    assert attempt.status.startswith("HTTP 500 Bad[31m xxx")
    assert len(attempt.status) < 120


GOOD: list[tuple[str, bytes | Talk]] = [
    ("200", answer()),
    ("203", answer("203 Non-Authoritative")),
    ("226", answer("226 IM Used")),
    ("206 in full", answer("206 Partial", f"Content-Range: bytes 0-{len(RSS) - 1}/{len(RSS)}")),
    ("no length", OK + b"\r\n" + RSS),
    ("HTTP/1.0", b"HTTP/1.0 200\r\n\r\n" + RSS),
    ("a line break too many", answer() + b"\r\n"),
    ("1000 headers", OK + b"X: y\r\n" * 1000 + b"\r\n" + RSS),
    ("chunked", CHUNKED + b"%x\r\n%b\r\n0\r\n\r\n" % (len(RSS), RSS)),
    ("gzip", encoded("gzip", GZIPPED)),
    ("encoded twice", encoded("deflate, gzip", gzip.compress(zlib.compress(RSS)))),
    ("an encoding that is none", encoded("utf-8", RSS)),
    ("redirected", in_turn(found("/a"), found("b?c", "301 Moved"), answer())),
    ("a gate of cookies", in_turn(found("/", "302 Found", "Set-Cookie: a=b"), answer())),
    ("a redirect with no wait", in_turn(found("/a", "301 M", "Retry-After: 0"), answer())),
    ("a senseless length", OK + b"Content-Length: x\r\n\r\n" + RSS),
]


@pytest.mark.parametrize("say", [each[1] for each in GOOD], ids=[each[0] for each in GOOD])
def test_an_odd_response_is_a_document(say: bytes | Talk) -> None:
    attempt = fetched(say)

    assert (attempt.status, attempt.detail, attempt.unchanged) == (WORKING, "", "")
    assert attempt.parts == [RSS]


def test_at_least_so_many_faults_are_tested() -> None:
    tables: list[list[Any]] = [NAMES, list(URLS), list(INSIDE), SAID, SLOW, TLS, CODES]
    assert sum(len(table) for table in tables) > 140
