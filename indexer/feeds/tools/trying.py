"""Tries a feed: fetches and reads it, and shows the decision about each item; stores nothing.

    fetch, with exchanges → read → test each entry → preview of the saver    (feeds.md 6, 7, 8)
                              └ an HTML page: the feeds that it links to

Retry-After applies as in polls: blocks in the database are respected, and a new one is stored.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated

import msgspec
from pydantic import Field
from sqlalchemy import select

from indexer.database import Database
from indexer.errors import BadFeed
from indexer.feeds import statuses
from indexer.feeds.attempt import POSTPONED, WORKING, Attempt, ItemCounts, NewItem, Poll
from indexer.feeds.events import note
from indexer.feeds.fetching.answers import concerns_host
from indexer.feeds.fetching.fetching import FeedClient, FeedFetchOptions, anywhere
from indexer.feeds.identity.places import host_keys
from indexer.feeds.models import feeds
from indexer.feeds.polling.paces import Paces
from indexer.feeds.reading.acceptance import AcceptanceOptions, RefusedItem, judge_all, newest
from indexer.feeds.reading.entry import DocumentReading, FeedEntry
from indexer.feeds.reading.reading import read
from indexer.feeds.registry.feed_links import feeds_of_page
from indexer.feeds.saving.deciding import (
    ADDED,
    DELETED,
    Decision,
    KnownStories,
    candidate,
    decide,
    first_title_date,
)
from indexer.feeds.saving.story_lookup import StoryLookup
from indexer.feeds.tools.trial import (
    ADD,
    DUPLICATE,
    SKIP,
    NamedFeed,
    Trial,
    TriedItem,
    TriedRequest,
)
from indexer.news.syndication.second_reader import SecondReader
from indexer.system.options import group, option

QUERY_SECONDS = 60.0

WHY = {
    "ok": "it would be added",
    "dup_url": "a story with this URL is known",
    "dup_guid": "a story with this guid is known in this feed",
    "dup_title": "the source has a recent story with this title",
}


class TryOptions(AcceptanceOptions):
    """Part of the options of the programs that try feeds."""

    fetching: FeedFetchOptions = group(FeedFetchOptions)
    normalized_title_days: Annotated[int, Field(ge=0, le=36_500)] = option(
        7,
        "days within which a source's item with the title of another is a duplicate",
        "NORMALIZED_TITLE_DAYS",
    )


def try_feed(
    url: str,
    client: FeedClient,
    options: TryOptions,
    now: datetime,
    database: Database | None = None,
    sources_id: int | None = None,
) -> Trial:
    """Fetch a URL as a feed, of the given source or of the feed's own.

    Only blocks of hosts are written. Without a `database` no item is a known story. Raises
    StorageError.
    """
    known = _known_feed(database, url) if database else None
    feed_id, its_source = known or (None, None)
    source = its_source if sources_id is None else sources_id
    trial = Trial(url=url, started=now, status=WORKING, feed_id=feed_id, sources_id=source)
    attempt = _fetched(trial, client, database)
    if attempt.parts:
        _read(trial, attempt, options, database)
    return trial


def _fetched(trial: Trial, client: FeedClient, database: Database | None) -> Attempt:
    """Fetch the feed, and describe the attempt in the trial."""

    def visit(url: str, is_extra: bool) -> datetime | None:  # noqa: ARG001 - a Visit
        return Paces(database, 0).blocked(host_keys(url), trial.started) if database else None

    now = trial.started
    # Without hash and validators, as an unchanged document is wanted, too.
    poll = Poll(
        feed_id=trial.feed_id or 0,
        url=trial.url,
        lease="",
        expires=now + timedelta(days=1),
        sources_id=trial.sources_id,
    )
    until = visit(trial.url, False)
    if until is not None:
        attempt = Attempt(poll=poll, started=now, status=POSTPONED, until=until)
    else:
        attempt = client.fetch(
            poll,
            visit if database else anywhere,
            lambda sent, response: trial.exchanges.append(TriedRequest.of(sent, response)),
        )
    if database:
        _block(attempt, database)
    trial.status, trial.note = attempt.status, note(attempt, None)
    if attempt.until is not None:
        trial.note = "its host asked to wait until retry_at"
        trial.retry_at = attempt.until
    if answer := attempt.answer:
        trial.final_url, trial.seconds = answer.url, round(answer.seconds, 3)
        trial.size, trial.md5 = answer.size, answer.md5 or None
        trial.retry_at, trial.fresh_until = answer.retry_at, answer.fresh_until
    return attempt


def _block(attempt: Attempt, database: Database) -> None:
    """Store the Retry-After of a host for all fetchers."""
    answer = attempt.answer
    if answer is not None and answer.retry_at is not None and concerns_host(answer.code):
        hosts = host_keys(attempt.poll.url, answer.url)
        Paces(database, 0).block(list(hosts), answer.retry_at)


def _read(trial: Trial, attempt: Attempt, options: TryOptions, database: Database | None) -> None:
    try:
        with SecondReader() as second:
            reading = read(attempt.pages, attempt.parts, trial.url, trial.started, second=second)
    except BadFeed as error:
        attempt.status, attempt.detail = statuses.PARSE_ERROR, error.detail
        trial.status, trial.note = attempt.status, note(attempt, None)
        trial.root, trial.feeds = error.root or None, _named(attempt)
        return
    trial.format, trial.title = reading.format, reading.title
    trial.update_minutes, trial.warnings = reading.update_minutes, reading.warnings
    trial.note = note(attempt, _judged(trial, reading, options, database))


def _named(attempt: Attempt) -> list[NamedFeed]:
    """The feeds that an HTML page links to; none for other documents."""
    found = feeds_of_page(attempt.pages[0].url, attempt.parts[0])
    return [NamedFeed(spec.url, spec.name) for spec in found]


def _judged(
    trial: Trial, reading: DocumentReading, options: TryOptions, database: Database | None
) -> ItemCounts:
    """Fill in the items of the trial, and count them."""
    entries = newest(reading.entries, options.max_stories_per_feed)
    verdicts = judge_all(entries, trial.final_url or trial.url, options)
    items = [verdict for verdict in verdicts if isinstance(verdict, NewItem)]
    decisions = iter(_decisions(trial, items, options, database))
    for entry, verdict in zip(entries, verdicts, strict=True):
        if isinstance(verdict, RefusedItem):
            tried = _tried(entry, SKIP, verdict.counter, verdict.why)
        else:
            made = next(decisions)
            decision = ADD if made.counter == ADDED else DUPLICATE
            tried = _tried(entry, decision, made.counter, _why(made))
            tried.link, tried.identity = verdict.url, verdict.identity
            tried.story = made.story or None
        trial.items.append(tried)
    return trial.count(len(reading.entries) - len(entries))


def _decisions(
    trial: Trial, items: Sequence[NewItem], options: TryOptions, database: Database | None
) -> list[Decision]:
    if database is None:
        return [Decision(ADDED)] * len(items)
    # No feed has the id 0: the guids of a feed that is not in the database are all unknown.
    feed_id = trial.feed_id or 0
    days = options.normalized_title_days
    return preview(database, items, feed_id, trial.sources_id, trial.started, days)


def preview(
    database: Database,
    items: Sequence[NewItem],
    feed_id: int,
    sources_id: int | None,
    now: datetime,
    title_days: int,
) -> list[Decision]:
    """What the saver would decide now about a feed's items, in their order. Raises StorageError."""
    candidates = [candidate(item, feed_id, sources_id, now) for item in items]
    since = first_title_date(now, title_days)
    with database.reading(QUERY_SECONDS) as connection:
        lookup = StoryLookup(database, connection, now)
        known = KnownStories(
            lookup.stories(key for each in candidates for key in each.keys),
            lookup.titles({each.title for each in candidates if each.title}, since),
        )
    return decide(candidates, known, since)


def _tried(entry: FeedEntry, decision: str, reason: str, why: str) -> TriedItem:
    fields = msgspec.structs.asdict(entry)
    return TriedItem(**fields, identity=None, decision=decision, reason=reason, why=why)


def _why(made: Decision) -> str:
    why = WHY[made.counter]
    if made.counter == ADDED:
        return why
    match made.story:
        case None:
            return f"{why}: an earlier item of the document"
        case int(story) if story == DELETED:
            return f"{why}: a story that was deleted"
        case story:
            return f"{why}: story {story}"


def _known_feed(database: Database, url: str) -> tuple[int, int | None] | None:
    """The id and the source of the feed with a URL."""
    columns = select(feeds.c.id, feeds.c.sources_id)
    chosen = columns.where(feeds.c.url == url, feeds.c.removed_at.is_(None))
    with database.reading() as connection:
        row = connection.execute(chosen.order_by(feeds.c.id).limit(1)).one_or_none()
    return (row.id, row.sources_id) if row else None
