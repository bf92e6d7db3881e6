"""Events: notes for people and clients, details for programs."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from indexer.feeds.attempt import Attempt, FeedAnswer, FeedDocument, Hop, ItemCounts, Unchanged
from indexer.feeds.events import QUEUED, event, note, request
from tests.each_row import each_row
from tests.feeds.polls import NOW, URL, poll

COUNTS = ItemCounts(added=2, duplicates=3, skipped=4, reasons={"ok": 2, "dup_url": 3, "relurl": 4})


def attempt(**fields: Any) -> Attempt:
    return Attempt(poll=poll(), started=NOW, **fields)


def details(made: Attempt, counts: ItemCounts | None = None) -> dict[str, Any]:
    row = event(made, counts, 1.5, disabled=False)
    return msgspec.json.decode(row["details"], type=dict[str, Any])


@each_row(
    ("fields", "counts", "words"),
    [
        ({}, COUNTS, "4 skipped / 3 dup / 2 added"),
        ({}, ItemCounts(), "0 skipped / 0 dup / 0 added"),
        ({"unchanged": Unchanged.NOT_MODIFIED}, None, "not modified"),
        ({"unchanged": Unchanged.SAME_HASH}, None, "same hash"),
        ({"status": "HTTP 404 Not Found"}, None, "HTTP 404 Not Found"),
        ({"status": "parse error", "detail": "Exception('html?')", "root": "html"}, None,
         "parse error; Exception('html?')"),
        ({"status": "unknown", "detail": "two\nlines"}, None, "unknown; two lines"),
    ],
)  # fmt: skip
def test_a_note_is_as_clients_know_it(
    fields: dict[str, Any], counts: ItemCounts | None, words: str
) -> None:
    assert note(attempt(**fields), counts) == words


@pytest.mark.parametrize(
    ("status", "disabled", "expected"),
    [
        ("Working", False, "fetch_succeeded"),
        ("read timeout", False, "fetch_failed"),
        ("read timeout", True, "fetch_disabled"),
    ],
)
def test_an_event_has_the_time_of_the_fetch(status: str, disabled: bool, expected: str) -> None:
    row = event(attempt(status=status), None, 1.5, disabled=disabled)
    assert (row["feed_id"], row["event"], row["created_at"]) == (7, expected, NOW)


def test_a_fetch_soon_request_is_an_event() -> None:
    later = NOW + timedelta(seconds=1)
    row = request(QUEUED, later)
    assert (row["event"], row["created_at"], row["note"]) == ("queued", later, None)


def test_details_have_the_reasons() -> None:
    answer = FeedAnswer(
        code=200,
        url="https://other.example/feed",
        hops=[Hop(301, "https://other.example/feed")],
        seconds=0.25,
        size=1234,
        retry_at=NOW,
    )
    document = FeedDocument(format="rss 2.0", entries=9, warnings=["cut off in mid item"])
    assert details(attempt(answer=answer, document=document), COUNTS) == {
        "ms": 1500,
        "code": 200,
        "bytes": 1234,
        "fetch_ms": 250,
        "conditional": False,
        "url": "https://other.example/feed",
        "redirects": [301],
        "retry_at": NOW.isoformat(),
        "format": "rss 2.0",
        "items": 9,
        "warnings": ["cut off in mid item"],
        "counts": COUNTS.reasons,
    }


def test_details_have_the_root_and_links_of_a_document_that_is_no_feed() -> None:
    named = ["https://news.example/rss"]
    page = attempt(status="parse error", detail="Exception('html?')", root="html", feeds=named)
    assert details(page) == {"ms": 1500, "root": "html", "feeds": named}


def test_details_have_no_url_without_redirects() -> None:
    assert "url" not in details(attempt(answer=FeedAnswer(code=404, url=URL)))
