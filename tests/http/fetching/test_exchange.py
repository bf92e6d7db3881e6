"""Tests of the head of a response."""

from urllib3 import HTTPHeaderDict

from indexer.http.fetching import Response
from tests.each_row import each_row


@each_row(
    ("content_type", "media_type", "charset"),
    [
        (None, None, None),
        ("", None, None),
        ("text/html", "text/html", None),
        ("Text/HTML ; Charset=UTF-8", "text/html", "UTF-8"),
        ('text/html; charset="iso-8859-1"', "text/html", "iso-8859-1"),
        ("text/html; charset='utf-8'", "text/html", "utf-8"),
        ("text/html;charset=utf-8;x=y", "text/html", "utf-8"),
        ("text/html; x=y; charset=utf-8", "text/html", "utf-8"),
        ("text/html; charset=", "text/html", None),
        ("text/html; notcharset=utf-8", "text/html", None),
        ("text/html, text/html", "text/html", None),
        ("charset=utf-8", None, None),
        ("html", None, None),
        ("text/html; charset=" + "x" * 1000, "text/html", "x" * 40),
        ("text/ht\u00e9ml", None, None),
        ("application/xhtml+xml;charset=utf_8", "application/xhtml+xml", "utf_8"),
    ],
)
def test_the_content_type_is_read_without_defaults(
    content_type: str | None, media_type: str | None, charset: str | None
) -> None:
    headers = HTTPHeaderDict({} if content_type is None else {"content-type": content_type})
    response = Response("http://example.com/", 200, headers)

    assert (response.media_type, response.charset) == (media_type, charset)


def test_a_page_is_not_repeated_in_a_log() -> None:
    assert "secret page" not in repr(Response("http://a/", 200, {}, b"secret page"))
