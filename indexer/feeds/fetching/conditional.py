"""Conditional requests that miss no change: what to send, when to trust validators (feeds.md 6.2).

    Poll → validators(): headers of the request        Feed, Attempt → after(): columns to set

Some servers answer 304 although the document has changed. So a request without validators is sent
from time to time. If its response contradicts earlier 304s, the validators are not used again:

    changed document, same validators                               wrong 304: not trusted
    changed document, last modified long before a 304               the same
    changed document, last modified after the last 304              correct
    changed document, without a usable date                         doubt: not trusted after three
    changed document in response to a conditional request           correct; clears all doubts

Validators belong to the URL that sent them, and are sent to no other URL.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from indexer.errors import BadURL
from indexer.feeds.attempt import WORKING, Attempt, FeedAnswer, Poll, Unchanged
from indexer.feeds.feed import Feed
from indexer.http.urls.target import Target
from indexer.system.options import Options, option
from indexer.text.dates import http_date

MAX_VALIDATOR = 4096
"""The longest validator that is stored: servers refuse requests with longer headers."""

DOUBTS = 3
"""The number of doubts in a row after which validators are not trusted."""

_FEW = 2
"""Fewer 304s before a change raise no doubt."""

_SKEW = timedelta(minutes=10)
"""The expected error of a server's clock."""

_CACHED = timedelta(days=1)
"""The longest time for which a cache may have sent an old 304."""


class ConditionalOptions(Options):
    """Part of the options of the programs that fetch feeds."""

    http_conditional_fetch: bool = option(
        True, "send If-None-Match and If-Modified-Since", "HTTP_CONDITIONAL_FETCH"
    )
    full_fetch_every: int = option(
        24,
        "request the whole document after so many answers 304 in a row",
        "HTTP_FULL_FETCH_EVERY",
    )
    full_fetch_days: float = option(
        1.0, "and if the last whole document is so many days old", "HTTP_FULL_FETCH_DAYS"
    )


def validators(poll: Poll, now: datetime, options: ConditionalOptions) -> dict[str, str]:
    """The headers of a conditional request to `validators_url`; empty for a full request."""
    if not options.http_conditional_fetch or not poll.validators_trusted:
        return {}
    if poll.not_modified_count >= options.full_fetch_every:
        return {}
    # Counted from the last whole document, so that a 304 never prolongs the time without one.
    since = poll.full_fetch_at
    if since is None or now - since >= timedelta(days=options.full_fetch_days):
        return {}
    given = {"If-None-Match": poll.etag, "If-Modified-Since": poll.last_modified}
    return {name: value for name, value in given.items() if value and usable(value)}


def belong_to(poll: Poll, url: str) -> bool:
    """Whether a poll's validators came from this URL."""
    return same_url(poll.validators_url or poll.url, url)


def usable(value: str) -> bool:
    """Whether a validator can be stored and sent back unchanged."""
    if len(value) > MAX_VALIDATOR or not value.strip():
        return False
    return all(" " <= char <= "\xff" and not "\x7f" <= char <= "\x9f" for char in value)


def after(feed: Feed, attempt: Attempt) -> dict[str, Any]:
    """The columns to set. A document that was not understood changes nothing.

    Otherwise the next poll would skip it as unchanged, and its items would never be read.
    """
    answer = attempt.answer
    if answer is None or attempt.status != WORKING:
        return {}
    if attempt.unchanged == Unchanged.NOT_MODIFIED:
        return _not_modified(feed, answer)
    if attempt.document is None and not attempt.unchanged:
        return {}
    has_any = bool(answer.etag or answer.last_modified)
    return {
        "last_fetch_hash": answer.md5 or None,
        "http_etag": answer.etag,
        "http_last_modified": answer.last_modified,
        "validators_url": answer.url if has_any else None,
        "not_modified_count": 0,
        "full_fetch_at": attempt.started,
        **_trust(feed, answer),
    }


def same_url(one: str, other: str) -> bool:
    """Whether two URLs lead to the same request."""
    return one == other or _request_url(one) == _request_url(other)


def _not_modified(feed: Feed, answer: FeedAnswer) -> dict[str, Any]:
    if not answer.conditional:
        return {}
    given = {"http_etag": answer.etag, "http_last_modified": answer.last_modified}
    return {
        # A 304 need not repeat the validators: missing ones are unchanged.
        **{name: value for name, value in given.items() if value},
        "http_304": True,
        "not_modified_count": feed.not_modified_count + 1,
    }


def _trust(feed: Feed, answer: FeedAnswer) -> dict[str, Any]:
    """The columns of trust, after a whole document that may contradict the 304s before it."""
    changed = feed.last_fetch_hash is not None and answer.md5 != feed.last_fetch_hash
    if not changed or not feed.validators_trusted:
        return {}
    if answer.conditional:
        return {"validators_doubts": 0} if feed.validators_doubts else {}
    if not feed.not_modified_count or not same_url(feed.validators_url or "", answer.url):
        return {}
    correct = _were_correct(feed, answer)
    if correct or (correct is None and feed.not_modified_count < _FEW):
        return {}
    doubts = feed.validators_doubts + 1
    if correct is None and doubts < DOUBTS:
        return {"validators_doubts": doubts}
    return {"validators_doubts": doubts, "validators_trusted": False}


def _were_correct(feed: Feed, answer: FeedAnswer) -> bool | None:
    """Whether the 304s before a changed document were correct; None if that is unknown."""
    pairs = (
        (feed.http_etag, answer.etag),
        (feed.http_last_modified, answer.last_modified),
    )
    if [old for old, _ in pairs] == [new for _, new in pairs]:
        return False
    modified = _moment(answer.last_modified)
    asked = feed.last_parse_success
    if modified is None or asked is None or answer.last_modified == feed.http_last_modified:
        return None
    if modified > asked - _SKEW:
        return True
    return None if modified > asked - _CACHED else False


def _moment(text: str | None) -> datetime | None:
    """The UTC time of an HTTP date, without a zone; None if it is missing or malformed."""
    date = http_date(text)
    return date.astimezone(UTC).replace(tzinfo=None) if date else None


def _request_url(url: str) -> str:
    try:
        return Target.parse(url).url
    except BadURL:
        return url
