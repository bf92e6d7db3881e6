"""Conditional requests that lose nothing: what to send, and what an answer teaches (feeds.md 6.2).

    Poll → validators(): headers of the request        Feed, Attempt → after(): columns to set

Some servers say "not modified" whatever has changed. So every so often a document is asked for
without validators, and where it then contradicts what was said before, they are used no more:

    another document, the same validators                         a lie: untrusted
    another document, last modified long before a 304 was sent    the same
    another document, last modified since the last 304            honest
    another document, and nothing that tells                      a doubt: untrusted after three
    another document in answer to validators                      honest, whatever was in doubt

Validators belong to the URL that gave them, and are sent to no other.
"""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

from indexer.errors import BadURL
from indexer.feeds.attempt import WORKING, Attempt, FeedAnswer, Poll, Unchanged
from indexer.feeds.feed import Feed
from indexer.http.urls.target import Target
from indexer.system.options import Options, option

MAX_VALIDATOR = 4096
"""Longer ones are not stored: servers refuse requests with them."""

DOUBTS = 3
"""How many in a row make sure."""

_FEW = 2
"""A single 304 before a change says nothing."""

_SKEW = timedelta(minutes=10)
"""How far a server's clock may be from ours."""

_CACHED = timedelta(days=1)
"""For how long a cache may have told what it did not know better."""


class ConditionalOptions(Options):
    """Part of the options of the programs that fetch feeds."""

    http_conditional_fetch: bool = option(
        True, "ask only for what has changed since", "HTTP_CONDITIONAL_FETCH"
    )
    full_fetch_every: int = option(
        24,
        "ask for the whole after so many answers in a row that nothing has changed",
        "HTTP_FULL_FETCH_EVERY",
    )
    full_fetch_days: float = option(
        1.0, "and when it was last had so many days ago", "HTTP_FULL_FETCH_DAYS"
    )


def validators(poll: Poll, now: datetime, options: ConditionalOptions) -> dict[str, str]:
    """The headers that make a request to `validators_url` conditional; none if it must not be."""
    if not options.http_conditional_fetch or not poll.validators_trusted:
        return {}
    if poll.not_modified_count >= options.full_fetch_every:
        return {}
    since = poll.full_fetch_at
    if since is None or now - since >= timedelta(days=options.full_fetch_days):
        return {}
    given = {"If-None-Match": poll.etag, "If-Modified-Since": poll.last_modified}
    return {name: value for name, value in given.items() if value and usable(value)}


def belong_to(poll: Poll, url: str) -> bool:
    """Whether a poll's validators are those of a URL."""
    return same_url(poll.validators_url or poll.url, url)


def usable(value: str) -> bool:
    """Whether a validator can be stored, and sent back as it came."""
    if len(value) > MAX_VALIDATOR or not value.strip():
        return False
    return all(" " <= char <= "\xff" and not "\x7f" <= char <= "\x9f" for char in value)


def after(feed: Feed, attempt: Attempt) -> dict[str, Any]:
    """The columns to set: of what was not understood, and of errors, nothing is remembered."""
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
    """Whether two URLs are asked for in the same way."""
    return one == other or _asked(one) == _asked(other)


def _not_modified(feed: Feed, answer: FeedAnswer) -> dict[str, Any]:
    if not answer.conditional:
        return {}
    given = {"http_etag": answer.etag, "http_last_modified": answer.last_modified}
    return {
        # What it doesn't repeat is still so.
        **{name: value for name, value in given.items() if value},
        "http_304": True,
        "not_modified_count": feed.not_modified_count + 1,
    }


def _trust(feed: Feed, answer: FeedAnswer) -> dict[str, Any]:
    """What a whole document says about the 304s before it."""
    changed = feed.last_fetch_hash is not None and answer.md5 != feed.last_fetch_hash
    if not changed or not feed.validators_trusted:
        return {}
    if answer.conditional:
        return {"validators_doubts": 0} if feed.validators_doubts else {}
    if not feed.not_modified_count or not same_url(feed.validators_url or "", answer.url):
        return {}
    return _suspected(feed, _was_true(feed, answer))


def _suspected(feed: Feed, true: bool | None) -> dict[str, Any]:
    if true or (true is None and feed.not_modified_count < _FEW):
        return {}
    doubts = feed.validators_doubts + 1
    if true is None and doubts < DOUBTS:
        return {"validators_doubts": doubts}
    return {"validators_doubts": doubts, "validators_trusted": False}


def _was_true(feed: Feed, answer: FeedAnswer) -> bool | None:
    """Whether the 304s before a change can have been true; None if nothing tells."""
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


def _moment(http_date: str | None) -> datetime | None:
    """UTC, without a zone."""
    try:
        date = parsedate_to_datetime(http_date or "")
    except (ValueError, OverflowError):
        return None
    return (date.astimezone(UTC) if date.tzinfo else date).replace(tzinfo=None)


def _asked(url: str) -> str:
    try:
        return Target.parse(url).url
    except BadURL:
        return url
