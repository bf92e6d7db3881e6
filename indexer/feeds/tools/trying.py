"""Trying a feed: it is fetched and read, and told what would become of each item; nothing is kept.

    fetch → read → judge each entry → which are known?    (feeds.md 6, 7, 8, and what 14 adds)
      └ what servers said        └ a page: the feeds that it names

A host that wants to be left alone (Retry-After) is: what is known of it in the database counts,
and what it says now is kept there: that alone.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import Field
from sqlalchemy import select

from indexer.database import Database
from indexer.errors import BadFeed
from indexer.feeds import statuses
from indexer.feeds.attempt import POSTPONED, WORKING, Attempt, ItemCounts, NewItem, Poll
from indexer.feeds.events import note
from indexer.feeds.fetching.answers import concerns_host
from indexer.feeds.fetching.fetching import FeedClient, FeedFetchOptions, anywhere
from indexer.feeds.identity.guids import ambiguous
from indexer.feeds.identity.places import host_keys
from indexer.feeds.models import feeds
from indexer.feeds.polling.paces import Paces
from indexer.feeds.reading.acceptance import AcceptanceOptions, RefusedItem, judge, newest
from indexer.feeds.reading.entry import FeedEntry
from indexer.feeds.reading.reading import DocumentReading, read
from indexer.feeds.registry.feed_links import feeds_of_page
from indexer.feeds.saving.deciding import ADDED, FORGOTTEN, Decision
from indexer.feeds.tools.preview import preview
from indexer.feeds.tools.trial import ADD, DUPLICATE, SKIP, Exchange, NamedFeed, Trial, TriedItem
from indexer.system.options import option

WHY = {
    "ok": "it would be added",
    "dup_url": "a story with this URL is known",
    "dup_guid": "this feed has had the guid before",
    "dup_title": "the source had a story with this title lately",
}


class TryOptions(FeedFetchOptions, AcceptanceOptions):
    """Part of the options of the programs that try feeds."""

    normalized_title_days: Annotated[int, Field(ge=0, le=36_500)] = option(
        7,
        "days in which no two stories of a source have the same title",
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
    """What comes of fetching a URL as a feed, of a source if one is named.

    Nothing is written, but for how long a host wants to be left alone. Without a `database`
    nothing is known. Raises StorageError.
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
    """What came of the fetch: told, too."""

    def visit(url: str, besides: bool) -> datetime | None:  # noqa: ARG001 - a Visit
        return Paces(database, 0).blocked(host_keys(url), trial.started) if database else None

    now = trial.started
    # Without hash and validators: what is wanted is the document, also one that has not changed.
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
            lambda sent, response: trial.exchanges.append(Exchange.of(sent, response)),
        )
    if database:
        _heed(attempt, database)
    trial.status, trial.note = attempt.status, note(attempt, None)
    if attempt.until is not None:
        trial.note = "its host wants to be left alone, as long as retry_at"
        trial.retry_at = attempt.until
    if answer := attempt.answer:
        trial.final_url, trial.seconds = answer.url, round(answer.seconds, 3)
        trial.size, trial.md5 = answer.size, answer.md5 or None
        trial.retry_at, trial.fresh_until = answer.retry_at, answer.fresh_until
    return attempt


def _heed(attempt: Attempt, database: Database) -> None:
    """A host that wants to be left alone is: all fetchers are told."""
    answer = attempt.answer
    if answer is not None and answer.retry_at is not None and concerns_host(answer.code):
        hosts = dict.fromkeys((*host_keys(attempt.poll.url), *host_keys(answer.url)))
        Paces(database, 0).block(list(hosts), answer.retry_at)


def _read(trial: Trial, attempt: Attempt, options: TryOptions, database: Database | None) -> None:
    try:
        reading = read(attempt.pages, attempt.parts, trial.url, trial.started)
    except BadFeed as error:
        attempt.status, attempt.detail = statuses.PARSE_ERROR, error.detail
        trial.status, trial.note = attempt.status, note(attempt, None)
        trial.root, trial.feeds = error.root or None, _named(attempt)
        return
    trial.format, trial.title = reading.format, reading.title
    trial.update_minutes, trial.warnings = reading.update_minutes, reading.warnings
    trial.note = note(attempt, _judged(trial, reading, options, database))


def _named(attempt: Attempt) -> list[NamedFeed]:
    """The feeds that a page names; none of what is no page."""
    found = feeds_of_page(attempt.pages[0].url, attempt.parts[0])
    return [NamedFeed(spec.url, spec.name) for spec in found]


def _judged(
    trial: Trial, reading: DocumentReading, options: TryOptions, database: Database | None
) -> ItemCounts:
    """Fill in the items, and count them."""
    entries = newest(reading.entries, options.max_stories_per_feed)
    verdicts = [judge(entry, trial.final_url or trial.url, options) for entry in entries]
    items = [verdict for verdict in verdicts if isinstance(verdict, NewItem)]
    shared = ambiguous(items)
    for item in items:
        item.guid_means &= not item.guid or item.guid.strip() not in shared
    decisions = iter(_decisions(trial, items, options, database))
    for entry, verdict in zip(entries, verdicts, strict=True):
        trial.items.append(
            _refused(entry, verdict)
            if isinstance(verdict, RefusedItem)
            else _tried(entry, verdict, next(decisions))
        )
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


def _refused(entry: FeedEntry, refusal: RefusedItem) -> TriedItem:
    return TriedItem(
        link=entry.link,
        title=entry.title,
        guid=entry.guid,
        published_at=entry.published_at,
        published=entry.published,
        date_source=entry.date_source,
        identity=None,
        decision=SKIP,
        reason=refusal.counter,
        why=refusal.why,
    )


def _tried(entry: FeedEntry, item: NewItem, made: Decision) -> TriedItem:
    return TriedItem(
        link=item.url,
        title=item.title,
        guid=item.guid,
        published_at=item.published_at,
        published=entry.published,
        date_source=item.date_source,
        identity=item.identity,
        decision=ADD if made.counter == ADDED else DUPLICATE,
        reason=made.counter,
        why=_why(made),
        story=made.story or None,
    )


def _why(made: Decision) -> str:
    why = WHY[made.counter]
    if made.counter == ADDED:
        return why
    match made.story:
        case None:
            return f"{why}: of an item before it"
        case int(story) if story == FORGOTTEN:
            return f"{why}: of one that is forgotten"
        case story:
            return f"{why}: story {story}"


def _known_feed(database: Database, url: str) -> tuple[int, int | None] | None:
    """The id and the source of the feed with a URL."""
    columns = select(feeds.c.id, feeds.c.sources_id)
    chosen = columns.where(feeds.c.url == url, feeds.c.removed_at.is_(None))
    with database.reading() as connection:
        row = connection.execute(chosen.order_by(feeds.c.id).limit(1)).one_or_none()
    return (row.id, row.sources_id) if row else None
