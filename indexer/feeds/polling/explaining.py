"""A sentence that tells when a feed is polled next, and why then."""

from datetime import datetime, timedelta

from indexer.feeds.feed import Feed


def next_poll(feed: Feed, now: datetime, blocked: datetime | None = None) -> str:
    """The time of the next poll and the reason for it, or the reason why there is none.

    `blocked`: the end of the time for which its host has asked not to be visited.
    """
    if never := _never(feed):
        return f"never: {never}"
    if feed.lease_expires is not None and feed.lease_expires > now:
        return f"being polled: if it has not ended by {moment(feed.lease_expires)}, it starts again"
    if waits := _waits(feed, now, blocked):
        return waits
    planned = feed.next_fetch_attempt
    if planned is None:
        return "as soon as possible"
    if planned <= now:
        return f"now: due since {moment(planned)}"
    return f"{moment(planned)}, {_in(planned - now)}: {_interval(feed)}"


def _waits(feed: Feed, now: datetime, blocked: datetime | None) -> str:
    """The end of a wait that is not the feed's own, and its reason; empty without one."""
    planned, deferred = feed.next_fetch_attempt or now, feed.deferred_until or now
    if blocked is not None and blocked > now:
        until = max(blocked, planned, deferred)
        return (
            f"{moment(until)}, {_in(until - now)}: its host asked to wait (Retry-After); "
            f"`feeds fetch-soon {feed.id} --ignore-retry-after` polls it at once"
        )
    if deferred > now and deferred > planned:
        return (
            f"{moment(deferred)}, {_in(deferred - now)}: deferred, as its source or host is at "
            "its limit"
        )
    return ""


def _never(feed: Feed) -> str:
    """The reason why a feed is never polled; empty if it is polled."""
    if feed.removed_at is not None:
        return f"removed on {moment(feed.removed_at)}; `feeds add URL` brings it back"
    if not feed.active:
        return "inactive in the directory or the list that it is from; `feeds enable ID`"
    if not feed.system_enabled:
        return "disabled by an operator or by too many failures; `feeds enable ID`"
    return ""


def _interval(feed: Feed) -> str:
    """The reason for the interval."""
    if feed.gone_at is not None:
        return f"gone (HTTP 410) since {moment(feed.gone_at)}: polled once a month"
    if feed.poll_minutes_override is not None:
        return f"every {minutes(feed.poll_minutes_override)}, set by an operator"
    if feed.last_fetch_failures > 0:
        count = f"{feed.last_fetch_failures:g}"
        return (
            f"{feed.system_status or 'a failure'}: the interval grows with failures ({count}); "
            f"`feeds fetch-soon {feed.id}` polls it at once"
        )
    if feed.poll_minutes is not None:
        return f"every {minutes(feed.poll_minutes)}, computed from its new stories"
    if feed.update_minutes is not None:
        return f"every {minutes(feed.update_minutes)}, published in the feed"
    return "first poll"


def moment(time: datetime | None) -> str:
    """A moment, to the minute; empty for None."""
    return f"{time:%Y-%m-%d %H:%M}" if time else ""


def minutes(number: int) -> str:
    """90 → 1 h 30 min"""
    hours, rest = divmod(number, 60)
    days, hours = divmod(hours, 24)
    parts = ((days, "d"), (hours, "h"), (rest, "min"))
    return " ".join(f"{part} {unit}" for part, unit in parts if part) or "0 min"


def _in(time: timedelta) -> str:
    return f"in {minutes(max(round(time.total_seconds() / 60), 0))}"
