"""Feeds that have moved."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from indexer.feeds.attempt import Attempt, Hop, Unchanged
from indexer.feeds.feed import Feed
from indexer.feeds.fetching.redirects import RedirectOptions, after
from indexer.http.urls.parts import host_of
from tests.each_row import each_row
from tests.feeds.polls import NOW, URL, of_feed, parsed

NEW = "https://new.example.org/feed"
DAY = timedelta(days=1)
OPTIONS = RedirectOptions()
SEEN = {"redirect_url": NEW, "redirect_count": 4, "redirect_since": NOW - 3 * DAY}
DELETED = {"redirect_url": None, "redirect_count": 0, "redirect_since": None}
PLACES = {"host": "news.example", "domain": "news.example"}
NEW_PLACES = {"host": "new.example.org", "domain": "example.org"}


def feed(**given: Any) -> Feed:
    """A feed with its host and domain."""
    return Feed(**{"id": 7, "url": URL, **PLACES, **given})


def ended_at(url: str) -> dict[str, Any]:
    """The columns of the final URL."""
    return {"final_url": url, "final_host": host_of(url)}


def moved(feed: Feed, *hops: Hop, **given: Any) -> Attempt:
    """An attempt that was redirected there."""
    url = hops[-1].url if hops else feed.fetch_url
    return replace(parsed(feed, url=url, hops=list(hops)), **given)


TO_NEW = Hop(301, NEW)
ALONG = Hop(308, "https://between.example/")

SIGHTINGS: list[tuple[str, dict[str, Any], tuple[Hop, ...], dict[str, Any]]] = [
    ("first", {}, (TO_NEW,),
     {"redirect_url": NEW, "redirect_count": 1, "redirect_since": NOW}),
    ("by 308", {}, (Hop(308, NEW),),
     {"redirect_url": NEW, "redirect_count": 1, "redirect_since": NOW}),
    ("over another", {}, (ALONG, TO_NEW),
     {"redirect_url": NEW, "redirect_count": 1, "redirect_since": NOW}),
    ("again", {**SEEN, "redirect_count": 3}, (TO_NEW,), SEEN),
    ("again, too soon", {**SEEN, "redirect_since": NOW - 2.9 * DAY}, (TO_NEW,),
     {"redirect_url": NEW, "redirect_count": 5, "redirect_since": NOW - 2.9 * DAY}),
    ("often enough", SEEN, (TO_NEW,), {**DELETED, "adopted_url": NEW, **NEW_PLACES}),
    ("elsewhere now", SEEN, (Hop(301, NEW + "2"),),
     {"redirect_url": NEW + "2", "redirect_count": 1, "redirect_since": NOW}),
    ("for now", SEEN, (Hop(302, NEW),), DELETED),
    ("in part for now", SEEN, (Hop(307, URL + "2"), TO_NEW), DELETED),
    ("for now, never", {}, (Hop(302, NEW),), {}),
    ("see other", {}, (Hop(303, NEW),), {}),
    ("no more", SEEN, (), DELETED),
    ("to itself, with a cookie", {}, (Hop(301, URL),), {}),
]  # fmt: skip


@each_row(
    ("given", "hops", "columns"),
    [each[1:] for each in SIGHTINGS],
)
def test_a_move_is_adopted_after_enough_sightings_and_days(
    given: dict[str, Any], hops: tuple[Hop, ...], columns: dict[str, Any]
) -> None:
    before = feed(**given)
    attempt = moved(before, *hops)
    assert attempt.answer is not None

    assert after(before, attempt, OPTIONS) == {**columns, **ended_at(attempt.answer.url)}


@pytest.mark.parametrize("why", [Unchanged.NOT_MODIFIED, Unchanged.SAME_HASH])
def test_an_unchanged_document_counts_as_a_sighting(why: str) -> None:
    attempt = moved(feed(), TO_NEW, document=None, unchanged=why)
    assert after(feed(), attempt, OPTIONS)["redirect_count"] == 1


@pytest.mark.parametrize("status", ["parse error", "HTTP 404 Not Found", "HTTP 410 Gone"])
def test_a_response_without_a_document_is_no_sighting(status: str) -> None:
    attempt = moved(feed(), TO_NEW, document=None, status=status)
    assert after(feed(**SEEN), attempt, OPTIONS) == ended_at(NEW)
    assert after(feed(**SEEN), replace(attempt, answer=None), OPTIONS) == {}


ADOPTED = {"adopted_url": NEW, **NEW_PLACES}


@each_row(
    ("status", "failures", "given_up"),
    [
        ("HTTP 410 Gone", 0, True),
        ("HTTP 403 Forbidden", 0, True),
        ("bad URL", 0, True),
        ("HTTP 404 Not Found", 0, False),
        ("parse error", 1.5, False),
        ("parse error", 2.0, True),
        ("connect timeout", 2.5, True),
    ],
)
def test_an_adopted_url_that_fails_is_given_up(
    status: str, failures: float, given_up: bool
) -> None:
    before = feed(**ADOPTED, last_fetch_failures=failures)
    attempt = replace(parsed(before), document=None, answer=None, status=status)
    columns = after(before, attempt, OPTIONS)
    assert columns == ({**DELETED, "adopted_url": None, **PLACES} if given_up else {})


def test_a_second_move_is_adopted_and_a_move_back_too() -> None:
    third = "https://third.example/"
    before = feed(**ADOPTED, **{**SEEN, "redirect_url": third})
    columns = after(before, moved(before, Hop(301, third)), OPTIONS)
    assert columns["adopted_url"] == third
    back = feed(**ADOPTED, **{**SEEN, "redirect_url": URL})
    columns = after(back, moved(back, Hop(301, URL)), OPTIONS)
    assert {**columns, "adopted_url": columns["adopted_url"]} == {
        **DELETED,
        "adopted_url": None,
        **PLACES,
        **ended_at(URL),
    }


def test_an_attempt_at_an_old_url_changes_nothing() -> None:
    attempt = moved(feed(), TO_NEW)
    assert after(feed(url="https://changed.example/"), attempt, OPTIONS) == {
        "host": "changed.example",
        "domain": "changed.example",
    }


def test_a_feed_without_host_and_domain_gets_them() -> None:
    before = feed(host=None, domain=None)
    assert after(before, moved(before), OPTIONS) == {**PLACES, **ended_at(URL)}


def test_an_operator_may_adopt_sooner_or_never() -> None:
    soon = RedirectOptions(redirect_sightings=1, redirect_days=0.0)
    assert after(feed(), moved(feed(), TO_NEW), soon)["adopted_url"] == NEW
    never = RedirectOptions(redirect_sightings=0)
    assert after(feed(**SEEN), moved(feed(), TO_NEW), never) == {**DELETED, **ended_at(NEW)}


def test_five_sightings_in_three_days_move_a_feed_and_its_polls() -> None:
    now = feed()
    for hours in range(0, 24 * 4, 6):
        attempt = replace(moved(now, TO_NEW), started=NOW + timedelta(hours=hours))
        if now.adopted_url:
            break
        now = replace(now, **after(now, attempt, OPTIONS))
    assert (now.adopted_url, now.url, hours) == (NEW, URL, 78)
    assert of_feed(now).url == NEW
