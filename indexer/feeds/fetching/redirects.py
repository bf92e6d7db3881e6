"""Feeds that have moved: the target of a permanent redirect is adopted after some sightings.

    301, 308 → a valid document → the same target again, over some days → adopted: fetched directly
    adopted → fails → the directory's URL is fetched again

Temporary redirects are not counted. `url`, the directory's, never changes here, so a failure or an
operator can undo an adoption (feeds.md 6.1, 14).
"""

from datetime import timedelta
from typing import Any, Final

from indexer.feeds.attempt import WORKING, Attempt, FeedAnswer
from indexer.feeds.feed import Feed
from indexer.feeds.fetching.conditional import same_url
from indexer.feeds.identity.places import domain_of
from indexer.feeds.models import NO_SIGHTINGS
from indexer.feeds.statuses import Severity, severity
from indexer.http.urls.parts import host_of
from indexer.system.options import Options, option

PERMANENT: Final = frozenset((301, 308))

TOO_MANY_FAILURES = 2.0
"""The `last_fetch_failures` at which an adopted URL is given up."""


class RedirectOptions(Options):
    """Part of the options of the programs that end attempts."""

    redirect_sightings: int = option(
        5,
        "adopt a permanent redirect after so many sightings in a row; 0: never",
        "REDIRECT_SIGHTINGS",
    )
    redirect_days: float = option(
        3.0, "minimum days between the first and the last of these sightings", "REDIRECT_DAYS"
    )


def after(feed: Feed, attempt: Attempt, options: RedirectOptions) -> dict[str, Any]:
    """The columns of redirects, and those of the next URL's host and domain, that change."""
    if attempt.poll.url != feed.fetch_url:
        # The URL was changed during the attempt: the result says nothing about the new URL.
        return _placed(feed, {})
    columns: dict[str, Any] = {}
    if attempt.status != WORKING:
        columns = _given_up(feed, attempt.status)
    elif attempt.answer is not None and (attempt.document is not None or attempt.unchanged):
        columns = _seen(feed, attempt, attempt.answer, options)
    if attempt.answer is not None and attempt.answer.url:
        columns["final_url"] = attempt.answer.url
        columns["final_host"] = host_of(attempt.answer.url)
    return _placed(feed, columns)


def leads_to(answer: FeedAnswer, url: str) -> str | None:
    """The target of the permanent redirects from a URL; None if one of them is temporary."""
    if not answer.hops or any(hop.code not in PERMANENT for hop in answer.hops):
        return None
    # Sites that set a cookie redirect a URL to itself.
    return None if same_url(answer.url, url) else answer.url


def _seen(
    feed: Feed, attempt: Attempt, answer: FeedAnswer, options: RedirectOptions
) -> dict[str, Any]:
    url = leads_to(answer, attempt.poll.url)
    if url is None or options.redirect_sightings <= 0:
        return dict(NO_SIGHTINGS) if feed.redirect_url is not None else {}
    again = feed.redirect_url == url and feed.redirect_since is not None
    count = feed.redirect_count + 1 if again else 1
    since = (feed.redirect_since if again else None) or attempt.started
    long_enough = attempt.started - since >= timedelta(days=options.redirect_days)
    if count < options.redirect_sightings or not long_enough:
        return {"redirect_url": url, "redirect_count": count, "redirect_since": since}
    # An adopted URL may redirect back to the directory's: then nothing is adopted.
    back = same_url(url, feed.url or "")
    return {**NO_SIGHTINGS, "adopted_url": None if back else url}


def _given_up(feed: Feed, status: str) -> dict[str, Any]:
    """Columns that give up an adopted URL after a hard failure or too many others."""
    if feed.adopted_url is None:
        return {}
    hopeless = severity(status) is Severity.HARD
    if hopeless or feed.last_fetch_failures >= TOO_MANY_FAILURES:
        return {**NO_SIGHTINGS, "adopted_url": None}
    return {}


def _placed(feed: Feed, columns: dict[str, Any]) -> dict[str, Any]:
    """Add the host and domain of the next URL, where they change."""
    url = columns.get("adopted_url", feed.adopted_url) or feed.url or ""
    places = {"host": host_of(url), "domain": domain_of(url)}
    changed = {name: value for name, value in places.items() if getattr(feed, name) != value}
    return columns | changed
