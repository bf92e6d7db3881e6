"""Conditional requests miss no change."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from indexer.feeds.attempt import Attempt, FeedAnswer, Unchanged
from indexer.feeds.feed import Feed
from indexer.feeds.fetching.conditional import (
    ConditionalOptions,
    after,
    belong_to,
    usable,
    validators,
)
from tests.each_row import each_row
from tests.feeds.polls import MD5, NOW, URL, of_feed, parsed, poll

ETAG = 'W/"1"'
MODIFIED = "Sat, 21 Nov 2026 11:00:00 GMT"
DAY = timedelta(days=1)
OPTIONS = ConditionalOptions()
BOTH = {"If-None-Match": ETAG, "If-Modified-Since": MODIFIED}


def feed(**given: Any) -> Feed:
    """A feed with validators from an earlier fetch."""
    known: dict[str, Any] = {
        "id": 7,
        "url": URL,
        "http_etag": ETAG,
        "http_last_modified": MODIFIED,
        "validators_url": URL,
        "full_fetch_at": NOW - timedelta(hours=1),
        "last_fetch_hash": MD5,
        "last_parse_success": NOW - timedelta(hours=1),
    }
    return Feed(**{**known, **given})


def changed(feed: Feed, columns: dict[str, Any]) -> Feed:
    """A feed with columns set."""
    return replace(feed, **columns)


@each_row(
    ("given", "headers"),
    [
        ({}, BOTH),
        ({"http_etag": None}, {"If-Modified-Since": MODIFIED}),
        ({"http_last_modified": None}, {"If-None-Match": ETAG}),
        ({"http_etag": None, "http_last_modified": None}, {}),
        ({"http_etag": "", "http_last_modified": " "}, {}),
        ({"validators_trusted": False}, {}),
        ({"not_modified_count": 23}, BOTH),
        ({"not_modified_count": 24}, {}),
        ({"full_fetch_at": NOW - 0.9 * DAY}, BOTH),
        ({"full_fetch_at": NOW - 1 * DAY}, {}),
        ({"full_fetch_at": None}, {}),
        ({"http_etag": "a\nb"}, {"If-Modified-Since": MODIFIED}),
    ],
)
def test_conditional_headers_of_polls(given: dict[str, Any], headers: dict[str, str]) -> None:
    assert validators(of_feed(feed(**given)), NOW, OPTIONS) == headers


def test_an_operator_may_disable_conditional_requests() -> None:
    off = ConditionalOptions(http_conditional_fetch=False)
    assert validators(of_feed(feed()), NOW, off) == {}
    seldom = ConditionalOptions(full_fetch_every=2, full_fetch_days=30.0)
    assert validators(of_feed(feed(full_fetch_at=NOW - 20 * DAY)), NOW, seldom) == BOTH
    assert validators(of_feed(feed(not_modified_count=2)), NOW, seldom) == {}


@each_row(
    ("validators_url", "url", "theirs"),
    [
        (URL, URL, True),
        ("HTTPS://News.Example:443/feed.xml", URL, True),
        ("https://news.example", "https://news.example/", True),
        ("https://other.example/feed.xml", URL, False),
        ("https://news.example/feed.xml?a", URL, False),
        (None, URL, True),
        (None, "https://other.example/", False),
    ],
)
def test_validators_belong_to_a_url(validators_url: str | None, url: str, theirs: bool) -> None:
    assert belong_to(poll(validators_url=validators_url), url) is theirs


def test_validators_of_a_new_document_are_stored() -> None:
    answer: dict[str, Any] = {
        "etag": '"2"',
        "last_modified": None,
        "url": URL + "?2",
        "md5": "f" * 32,
    }
    assert after(feed(not_modified_count=5), parsed(feed(), **answer, conditional=True)) == {
        "last_fetch_hash": "f" * 32,
        "http_etag": '"2"',
        "http_last_modified": None,
        "validators_url": URL + "?2",
        "not_modified_count": 0,
        "full_fetch_at": NOW,
    }


def test_a_document_without_validators_clears_the_old_ones() -> None:
    columns = after(feed(), parsed(feed()))
    assert (columns["http_etag"], columns["validators_url"]) == (None, None)


def test_validators_of_an_unchanged_document_are_stored() -> None:
    attempt = parsed(feed(), etag='"2"')
    attempt.document, attempt.unchanged = None, Unchanged.SAME_HASH
    columns = after(feed(), attempt)
    assert (columns["http_etag"], columns["last_fetch_hash"]) == ('"2"', MD5)


def not_modified(feed: Feed, **answer: Any) -> Attempt:
    """A 304."""
    known: dict[str, Any] = {"code": 304, "url": URL, "conditional": True}
    return Attempt(
        poll=of_feed(feed),
        started=NOW,
        unchanged=Unchanged.NOT_MODIFIED,
        answer=FeedAnswer(**{**known, **answer}),
    )


@pytest.mark.parametrize(
    ("answer", "columns"),
    [
        ({}, {}),
        ({"etag": '"2"'}, {"http_etag": '"2"'}),
        ({"last_modified": "today"}, {"http_last_modified": "today"}),
    ],
)
def test_a_304_keeps_the_validators_that_it_does_not_repeat(
    answer: dict[str, str], columns: dict[str, str]
) -> None:
    counted = {"http_304": True, "not_modified_count": 6}
    assert after(feed(not_modified_count=5), not_modified(feed(), **answer)) == counted | columns


def test_an_unsolicited_304_changes_nothing() -> None:
    assert after(feed(), not_modified(feed(), conditional=False)) == {}


@pytest.mark.parametrize(
    "given", [{"status": "parse error"}, {"status": "HTTP 404 Not Found"}, {"document": None}]
)
def test_a_failure_stores_no_validators(given: dict[str, Any]) -> None:
    attempt = replace(parsed(feed(), etag='"2"', md5="f" * 32), **given)
    assert after(feed(), attempt) == {}
    assert after(feed(), replace(attempt, answer=None)) == {}


OTHER = {"md5": "f" * 32, "etag": '"2"'}
SAME_VALIDATORS = {"md5": "f" * 32, "etag": ETAG, "last_modified": MODIFIED}
LATER, EARLIER = "Sat, 21 Nov 2026 11:30:00 GMT", "Tue, 17 Nov 2026 11:30:00 GMT"
CACHED = "Sat, 21 Nov 2026 08:00:00 GMT"
LIE = {"validators_doubts": 1, "validators_trusted": False}
DOUBT = {"validators_doubts": 1}

TRUST: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ("same validators, another document", {}, SAME_VALIDATORS, LIE),
    ("the same, after one 304", {"not_modified_count": 1}, SAME_VALIDATORS, LIE),
    ("the same, after none", {"not_modified_count": 0}, SAME_VALIDATORS, {}),
    ("the same document", {}, {"etag": ETAG, "last_modified": MODIFIED}, {}),
    ("of another URL", {}, {**SAME_VALIDATORS, "url": "https://b.example/"}, {}),
    ("asked with validators", {}, {**SAME_VALIDATORS, "conditional": True}, {}),
    ("changed since the last 304", {}, {**OTHER, "last_modified": LATER}, {}),
    ("changed before the last 304", {}, {**OTHER, "last_modified": EARLIER}, LIE),
    ("changed a little before", {}, {**OTHER, "last_modified": CACHED}, DOUBT),
    ("changed, nobody knows when", {}, OTHER, DOUBT),
    ("no date", {}, {**OTHER, "last_modified": "soon"}, DOUBT),
    ("after a single 304", {"not_modified_count": 1}, OTHER, {}),
    ("in doubt before", {"validators_doubts": 1}, OTHER, {"validators_doubts": 2}),
    ("in doubt for long", {"validators_doubts": 2}, OTHER,
     {"validators_doubts": 3, "validators_trusted": False}),
    ("told in answer to validators", {"validators_doubts": 2}, {**OTHER, "conditional": True},
     {"validators_doubts": 0}),
    ("not trusted before", {"validators_trusted": False}, SAME_VALIDATORS, {}),
    ("the first document", {"last_fetch_hash": None}, OTHER, {}),
]  # fmt: skip


@each_row(
    ("given", "answer", "columns"),
    [each[1:] for each in TRUST],
)
def test_a_whole_document_may_contradict_earlier_304s(
    given: dict[str, Any], answer: dict[str, Any], columns: dict[str, Any]
) -> None:
    before = feed(**{"not_modified_count": 24, **given})
    trust = {
        name: value
        for name, value in after(before, parsed(before, **answer)).items()
        if name.startswith(("validators_trusted", "validators_doubts"))
    }
    assert trust == columns


def run(feed: Feed, polls: int, answered: Any) -> tuple[Feed, int]:
    """Poll each hour; return the feed afterwards, and the number of unconditional requests."""
    whole = 0
    for number in range(polls):
        now = NOW + timedelta(hours=number)
        sent = validators(of_feed(feed), now, OPTIONS)
        whole += not sent
        attempt = replace(answered(feed, number, bool(sent)), started=now)
        feed = changed(feed, {**after(feed, attempt), "last_parse_success": now})
    return feed, whole


def test_a_server_that_always_answers_304_is_not_trusted_for_long() -> None:
    def lie(feed: Feed, number: int, conditional: bool) -> Attempt:
        if conditional:
            return not_modified(feed)
        return parsed(feed, md5=f"{number:032}", etag=f'"{number}"')

    found, _ = run(feed(), 24 * 5, lie)
    assert not found.validators_trusted


def test_a_correct_server_stays_trusted() -> None:
    def honest(feed: Feed, number: int, conditional: bool) -> Attempt:
        version = number // 20
        etag = f'"{version}"'
        if conditional and feed.http_etag == etag:
            return not_modified(feed, etag=etag)
        return parsed(feed, md5=f"{version:032}", etag=etag, conditional=conditional)

    found, whole = run(feed(), 24 * 60, honest)
    assert found.validators_trusted
    assert whole < 24 * 60 / 10


@each_row(
    ("value", "fits"),
    [
        ('"a"', True),
        ('W/"\u00e9"', True),
        ("x" * 4096, True),
        ("x" * 4097, False),
        ("", False),
        (" ", False),
        ("a\tb", False),
        ("a\x00", False),
        ("a\x7f", False),
        ("a\x85", False),
        ("\u0100", False),
    ],
)
def test_only_validators_that_can_be_stored_and_sent_are_used(value: str, fits: bool) -> None:
    assert usable(value) is fits
