"""Events, the history of a feed: one for each attempt, with a note and with details as JSON."""

from datetime import datetime
from typing import Any

import msgspec

from indexer.feeds.attempt import WORKING, Attempt, ItemCounts
from indexer.text.cleaning import one_line

QUEUED = "queued"
SUCCEEDED = "fetch_succeeded"
FAILED = "fetch_failed"
DISABLED = "fetch_disabled"
"""The event types of seed 003; the last is a failure that disables the feed."""

NOTE_LENGTH = 500


def note(attempt: Attempt, counts: ItemCounts | None) -> str:
    """The note of an event (feeds.md 3); clients parse its labels."""
    if attempt.status != WORKING:
        text = f"{attempt.status}; {attempt.detail}" if attempt.detail else attempt.status
        return one_line(text, NOTE_LENGTH)
    if attempt.unchanged or counts is None:
        return attempt.unchanged
    return f"{counts.skipped} skipped / {counts.duplicates} dup / {counts.added} added"


def event(
    attempt: Attempt, counts: ItemCounts | None, seconds: float, *, disabled: bool
) -> dict[str, Any]:
    """The row of `fetch_events` for an attempt that took so many `seconds`."""
    failed = DISABLED if disabled else FAILED
    return {
        "feed_id": attempt.poll.feed_id,
        "event": SUCCEEDED if attempt.status == WORKING else failed,
        "note": note(attempt, counts),
        "created_at": attempt.started,
        "details": msgspec.json.encode(_details(attempt, counts, seconds)).decode(),
    }


def request(event: str, now: datetime, note: str | None = None) -> dict[str, Any]:
    """A row of `fetch_events`, without the feed, for a request: QUEUED (fetch soon) or DISABLED."""
    return {"event": event, "note": note, "created_at": now, "details": None}


def _details(attempt: Attempt, counts: ItemCounts | None, seconds: float) -> dict[str, Any]:
    """The facts behind an attempt's result, so that nobody has to search the logs."""
    details: dict[str, Any] = {"ms": round(seconds * 1000)}
    answer, document = attempt.answer, attempt.document
    if answer is not None:
        details |= {
            "code": answer.code,
            "bytes": answer.size,
            "fetch_ms": round(answer.seconds * 1000),
            "conditional": answer.conditional,
        }
        if answer.url != attempt.poll.url:
            details |= {"url": answer.url, "redirects": [hop.code for hop in answer.hops]}
        if answer.retry_at is not None:
            details["retry_at"] = answer.retry_at
    if attempt.root:
        details["root"] = attempt.root
    if attempt.feeds:
        details["feeds"] = attempt.feeds
    if document is not None:
        details |= {"format": document.format, "items": document.entries}
        if document.warnings:
            details["warnings"] = [one_line(each, 200) for each in document.warnings[:5]]
    if counts is not None:
        details["counts"] = counts.reasons
    return details
