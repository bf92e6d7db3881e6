"""Tests of the checks of an answer."""

import pytest
from urllib3 import HTTPHeaderDict

from indexer.errors import Discard, Retry
from indexer.http.fetching import Response
from indexer.stories.fetching.answers import check_answer, is_page
from tests.each_row import each_row

NOW = 1_445_412_420.0  # Wed, 21 Oct 2015 07:27:00 GMT


def answer(status: int = 200, body: bytes = b"<p>", **headers: str) -> Response:
    named = HTTPHeaderDict({name.replace("_", "-"): value for name, value in headers.items()})
    return Response("http://example.com/", status, named, body)


@each_row(
    ("code", "status"),
    [(301, "http-3xx"), (304, "http-3xx"), (400, "http-4xx"), (401, "http-4xx"),
     (403, "http-403"), (404, "http-404"), (410, "http-4xx"), (451, "http-4xx"),
     (501, "http-5xx"), (204, "http-2xx"), (999, "http-9xx")],
)  # fmt: skip
def test_an_answer_that_will_not_change_is_dropped(code: int, status: str) -> None:
    with pytest.raises(Discard, match=f"{status}: HTTP {code}") as dropped:
        check_answer(answer(code), NOW)
    assert dropped.value.status == status


@each_row(
    ("code", "status"),
    [(408, "http-4xx"), (429, "http-429"), (500, "http-5xx"), (502, "http-5xx"),
     (503, "http-5xx"), (504, "http-5xx"), (522, "http-5xx"), (524, "http-5xx")],
)  # fmt: skip
def test_an_answer_that_may_change_is_asked_for_again_and_dropped_in_the_end(
    code: int, status: str
) -> None:
    with pytest.raises(Retry) as later:
        check_answer(answer(code), NOW)

    assert (later.value.status, later.value.why) == (status, f"HTTP {code}")
    assert later.value.drop
    assert later.value.delay is None


@pytest.mark.parametrize("value", ["60", "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_retry_after_delays_the_next_request(value: str) -> None:
    with pytest.raises(Retry, match="HTTP 429, again after 60 s") as later:
        check_answer(answer(429, retry_after=value), NOW)
    assert later.value.delay == 60


TYPES = [
    ("text/html; charset=utf-8", True),
    ("TEXT/HTML", True),
    ("text/plain", True),
    ("application/xhtml+xml", True),
    ("application/xml", True),
    ("application/vnd.wap.xhtml+xml", True),
    ("application/json; charset=utf-8", False),
    ("application/pdf", False),
    ("image/png; charset=utf-8", False),
    ("video/mp4", False),
]


@each_row(("content_type", "text"), TYPES)
def test_the_media_type_decides_whether_an_answer_is_text(content_type: str, text: bool) -> None:
    given = answer(content_type=content_type)

    assert is_page(given) is text
    if text:
        check_answer(given, NOW)
    else:
        with pytest.raises(Discard, match="not-text"):
            check_answer(given, NOW)


@each_row(
    ("body", "text"),
    [
        (b"<!DOCTYPE html><p>\xff", True),
        ("\ufeff<p>".encode(), True),
        ("<p>".encode("utf-16"), True),
        (b"plain\tand\x1bescaped\r\n", True),
        (b"\x89PNG\r\n\x1a\n\x00\x00", False),
        (b"PK\x03\x04", False),
    ],
)
def test_without_a_media_type_the_body_decides(body: bytes, text: bool) -> None:
    if text:
        check_answer(answer(body=body), NOW)
    else:
        with pytest.raises(Discard, match="not-text"):
            check_answer(answer(body=body, content_type="rubbish"), NOW)


@pytest.mark.parametrize("body", [b"", b" \r\n\t"])
def test_an_empty_page_is_dropped(body: bytes) -> None:
    with pytest.raises(Discard, match="no-html"):
        check_answer(answer(body=body, content_type="text/html"), NOW)


def test_only_a_page_is_worth_reading() -> None:
    assert is_page(answer())
    assert not is_page(answer(404))
    assert not is_page(answer(206))
