"""The meaning of a response's head."""

from datetime import datetime, timedelta

from urllib3 import HTTPHeaderDict

from indexer.feeds.fetching.answers import (
    concerns_host,
    fresh_until,
    is_document,
    leads_on,
    retry_at,
)
from indexer.http.fetching import Response
from tests.each_row import each_row

NOW = datetime(2026, 11, 21, 12)


def said(status: int, **headers: str) -> Response:
    """A response with these headers."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response("https://news.example/", status, HTTPHeaderDict(named))


@each_row(
    ("status", "content_range", "whole"),
    [
        (200, "", True),
        (203, "", True),
        (226, "", True),
        (206, "", False),
        (206, "bytes 0-99/100", True),
        (206, "Bytes  0-99/100 ", True),
        (206, "bytes 0-98/100", False),
        (206, "bytes 1-99/100", False),
        (206, "bytes 0-99/*", False),
        (201, "", False),
        (204, "", False),
        (304, "", False),
        (404, "", False),
    ],
)
def test_a_document_is_whole(status: int, content_range: str, whole: bool) -> None:
    assert is_document(said(status, Content_Range=content_range)) is whole


@each_row(
    ("headers", "seconds"),
    [
        ({"Cache_Control": "max-age=600"}, 600),
        ({"Cache_Control": 'public, MAX-AGE="600", must-revalidate'}, 600),
        ({"Cache_Control": "max-age=600", "Age": "100"}, 500),
        ({"Cache_Control": "max-age=600", "Age": "old"}, 600),
        ({"Cache_Control": "max-age=600", "Age": "601"}, None),
        ({"Cache_Control": "max-age=0"}, None),
        ({"Cache_Control": "no-cache, max-age=600"}, None),
        ({"Cache_Control": "max-age=600, no-store"}, None),
        ({"Cache_Control": "private"}, None),
        ({"Cache_Control": "s-maxage=600"}, None),
        ({"Cache_Control": "max-age=999999999999"}, 30 * 86_400),
        ({"Cache_Control": "max-age=soon"}, None),
        ({"Expires": "Sat, 21 Nov 2026 12:10:00 GMT"}, 600),
        ({"Expires": "Sat, 21 Nov 2026 12:10:00 GMT", "Age": "60"}, 540),
        (
            {
                "Expires": "Sat, 21 Nov 2020 12:10:00 GMT",
                "Date": "Sat, 21 Nov 2020 12:00:00 GMT",
            },
            600,
        ),
        ({"Expires": "Sat, 21 Nov 2026 12:10:00 GMT", "Cache_Control": "max-age=60"}, 60),
        ({"Expires": "0"}, None),
        ({"Expires": "Thu, 01 Jan 1970 00:00:00 GMT"}, None),
        ({"Expires": "Sat, 99 Nov 2026 12:10:00 GMT"}, None),
        ({}, None),
    ],
)
def test_a_response_is_fresh_for_its_stated_lifetime(
    headers: dict[str, str], seconds: int | None
) -> None:
    until = None if seconds is None else NOW + timedelta(seconds=seconds)
    assert fresh_until(said(200, **headers), NOW) == until


def test_a_success_has_no_retry_after() -> None:
    assert retry_at(said(304, Retry_After="60"), NOW) is None
    assert retry_at(said(203, Retry_After="60"), NOW) is None
    assert retry_at(said(206, Retry_After="60"), NOW) == NOW + timedelta(seconds=60)


def test_a_redirect_is_followed_if_it_has_a_target_and_no_retry_after() -> None:
    assert leads_on(said(302, Location="/a"), NOW)
    assert leads_on(said(302, Location="/a", Retry_After="0"), NOW)
    assert not leads_on(said(302), NOW)
    assert not leads_on(said(302, Location=" "), NOW)
    assert not leads_on(said(302, Location="/a", Retry_After="1"), NOW)


def test_some_statuses_apply_to_the_whole_host() -> None:
    assert [code for code in range(100, 600) if concerns_host(code)] == [*range(300, 400), 429, 503]
