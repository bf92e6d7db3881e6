"""The index is asked again after passing failures, and its errors are `cdx-error`."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from indexer.errors import AddressRefused, FetchError, FilesetError, TooLarge
from indexer.filesets.wayback.cdx import CDXIndex
from indexer.filesets.wayback.options import WaybackOptions
from tests.each_row import each_row
from tests.filesets.wayback.scripted import ScriptedClient
from tests.filesets.wayback.test_rows import answer

LOST = FetchError("connection lost")


def ask(client: ScriptedClient, **options: Any) -> int:
    index = CDXIndex(client.retrying, WaybackOptions(**options))
    return len(index.rows("http://a.example/?b=ü&c"))


def test_the_question() -> None:
    client = ScriptedClient(answer({}))
    assert ask(client) == 1
    (request,) = client.requests
    parts = urlsplit(request.url)
    assert (
        f"{parts.scheme}://{parts.netloc}{parts.path}" == "https://web.archive.org/cdx/search/cdx"
    )
    assert parse_qs(parts.query) == {
        "url": ["http://a.example/?b=ü&c"],
        "matchType": ["exact"],
        "output": ["json"],
        "limit": ["-40"],
    }
    assert request.auth == ()


def test_a_token_is_sent_as_a_cookie() -> None:
    client = ScriptedClient(answer())
    ask(client, cdx_auth_token="t0k", wayback_cdx_url="http://cdx.example/x")
    (credentials,) = client.requests[0].auth
    assert credentials.origin == "http://cdx.example"
    assert credentials.sign("GET", "") == {"Cookie": "cdx_auth_token=t0k"}


@each_row(
    ("answers", "slept"),
    [
        ([LOST, 503, 502, answer({})], [3.0, 6.0, 12.0]),
        ([(429, {"retry-after": "60"}, b""), answer({})], [60.0]),
    ],
)
def test_a_passing_failure_is_tried_again(answers: list[Any], slept: list[float]) -> None:
    client = ScriptedClient(*answers)
    assert ask(client) == 1
    assert client.slept == slept


@each_row(
    ("answers", "why"),
    [
        ([LOST] * 4, "connection lost"),
        ([503] * 4, "HTTP 503"),
        ([(429, {"retry-after": "3600"}, b"")], "HTTP 429"),
        ([403], "HTTP 403"),
        ([AddressRefused("private")], "private"),
        ([TooLarge("too large")], "too large"),
        ([FilesetError("platform-rate-limited", "no calls for 600 seconds")], "no calls"),
        ([b"<html>"], "no JSON"),
    ],
)
def test_a_failure_is_an_error(answers: list[Any], why: str) -> None:
    client = ScriptedClient(*answers)
    with pytest.raises(FilesetError, match=f"^cdx-error: .*{why}"):
        ask(client)
    assert client.answers == []
