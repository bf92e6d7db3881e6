"""The replay: the URL of a capture, the target of a redirect, a page with its own headers."""

import base64
import hashlib
from dataclasses import replace
from typing import Any

import pytest

from indexer.errors import AddressRefused, FetchError, FilesetError, TooLarge
from indexer.filesets.wayback.replay import Replay, captured_headers
from tests.each_row import each_row
from tests.filesets.wayback.scripted import ScriptedClient
from tests.filesets.wayback.test_rows import ROW

BASE = "https://web.archive.org"
REDIRECT = replace(ROW, status_code=302)


@each_row(
    ("url", "part"),
    [
        ("http://a.example/b?c=d&e", "http://a.example/b?c=d&e"),
        ("http://a.example/x/../y/./z", "http://a.example/x/%2E%2E/y/%2E/z"),
        ("http://a.example/..?a", "http://a.example/%2E%2E?a"),
        ("http://a.example/a#b", "http://a.example/a%23b"),
    ],
)
def test_the_url_of_a_capture(url: str, part: str) -> None:
    found = Replay(ScriptedClient().retrying, BASE).url(replace(ROW, url=url))
    assert found == f"{BASE}/web/20200101000000id_/{part}"


@each_row(
    ("headers", "target"),
    [
        ({"location": f"{BASE}/web/2020id_/https://b.example/x?y"}, "https://b.example/x?y"),
        ({"location": "/web/20200101000000id_/http://b.example/"}, "http://b.example/"),
        ({"location": "/web/2020/http://b.example"}, "http://b.example/"),
        ({"location": "x", "x-archive-orig-location": "../c d"}, "http://a.example/c%20d"),
        ({"location": f"/web/20190101000000id_/{ROW.url}"}, "wayback-error"),
        ({}, "bad-redirect"),
        ({"location": "elsewhere"}, "bad-redirect"),
        ({"x-archive-orig-location": "mailto:a@b"}, "bad-redirect"),
    ],
)
def test_the_target_of_a_redirect(headers: dict[str, str], target: str) -> None:
    replay = Replay(ScriptedClient((302, headers, b"")).retrying, BASE)
    if "://" not in target:
        with pytest.raises(FilesetError, match=target):
            replay.target(REDIRECT)
    else:
        assert replay.target(REDIRECT) == target


@each_row(
    ("answer", "status"),
    [
        (404, "wayback-error"),
        (302, "wayback-error"),
        (b"other bytes", "wayback-content-error"),
        (AddressRefused("private"), "wayback-error"),
        (TooLarge("large"), "body-too-large"),
    ],
)
def test_a_page_that_is_not_replayed(answer: Any, status: str) -> None:
    with pytest.raises(FilesetError, match=status):
        Replay(ScriptedClient(answer).retrying, BASE).page(ROW, 9)
    if isinstance(answer, FetchError):
        with pytest.raises(FilesetError, match="wayback-error"):
            Replay(ScriptedClient(answer).retrying, BASE).target(REDIRECT)


def test_a_page_has_the_headers_of_its_site() -> None:
    headers = {
        "Content-Type": "text/html",
        "Link": '<http://a.example/>; rel="original"',
        "X-Archive-Orig-Link": '<https://doi.org/10.1/a>; rel="cite-as"',
    }
    row = replace(
        ROW,
        sha1b32=base64.b32encode(hashlib.sha1(b"page", usedforsecurity=False).digest()).decode(),
    )
    page = Replay(ScriptedClient((200, headers, b"page")).retrying, BASE).page(row, 9)
    assert page.body == b"page"
    assert captured_headers(page) == {
        "content-type": "text/html",
        "link": '<https://doi.org/10.1/a>; rel="cite-as"',
    }
