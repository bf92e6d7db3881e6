"""Tests of the entries of a document that need no database (feeds.md 8).

    newest → for each: link repaired → relurl → toolong → home → bad → nonews → nonurl → item

An entry that can't be read is skipped and counted; the others are not affected.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from indexer.errors import BadURL
from indexer.feeds.attempt import NewItem
from indexer.feeds.identity.identity import (
    ambiguous,
    identity_of,
    normalized_title,
    tells_apart,
    title_hash,
)
from indexer.feeds.identity.tracking import query_names_page, without_tracking
from indexer.feeds.reading.entry import FeedEntry
from indexer.feeds.reading.entry_links import repaired
from indexer.http.urls.parts import DEFAULT_PORTS, Parts, is_within, server, split
from indexer.news.canonical_domains import domain_of_parts, is_non_news
from indexer.news.homepages import is_front_page_path
from indexer.system.options import Options, option

TOSSED = "tossed"
"""The counter of entries beyond MAX_STORIES_PER_FEED."""


class AcceptanceOptions(Options):
    """Options of the programs that test entries."""

    max_stories_per_feed: int = option(
        2000, "most items taken from one document; 0: all", "MAX_STORIES_PER_FEED"
    )
    max_url: int = option(2048, "most characters in a story's link; 0: no limit", "MAX_URL")
    skip_home_pages: bool = option(
        False, "skip links that look like those of home pages", "SKIP_HOME_PAGES"
    )
    skip_domains: list[str] = option(
        [], "domain whose links are skipped, besides the built-in list; repeatable", "SKIP_DOMAINS"
    )


class RefusedItem(NamedTuple):
    """Why an entry is no story: its counter in feeds.md 8, and a sentence for people."""

    counter: str
    why: str


class Accepted(NamedTuple):
    """The items of a document that may become stories, in its order; refused ones by counter."""

    items: list[NewItem]
    skipped: dict[str, int]


def accept(entries: Sequence[FeedEntry], feed_url: str, options: AcceptanceOptions) -> Accepted:
    """Test the entries of a document; where there are too many, only the newest are taken."""
    chosen = newest(entries, options.max_stories_per_feed)
    verdicts = judge_all(chosen, feed_url, options)
    items = [verdict for verdict in verdicts if isinstance(verdict, NewItem)]
    skipped = Counter(verdict.counter for verdict in verdicts if isinstance(verdict, RefusedItem))
    if tossed := len(entries) - len(chosen):
        skipped[TOSSED] = tossed
    return Accepted(items, dict(skipped))


def judge_all(
    entries: Sequence[FeedEntry], feed_url: str, options: AcceptanceOptions
) -> list[NewItem | RefusedItem]:
    """Test each entry of a document; guids that different items share do not tell them apart."""
    verdicts = [judge(entry, feed_url, options) for entry in entries]
    items = [verdict for verdict in verdicts if isinstance(verdict, NewItem)]
    if shared := ambiguous(items):
        for item in items:
            if item.guid and item.guid.strip() in shared:
                item.guid_means = False
    return verdicts


def judge(entry: FeedEntry, feed_url: str, options: AcceptanceOptions) -> NewItem | RefusedItem:
    """Test one entry by itself. Returns its item, or the reason why there is none."""
    url = repaired(entry.link, feed_url)
    parts = split(url)
    if parts is None or not parts.authority:
        return RefusedItem("relurl", "the link names no host" if url else "there is no link")
    try:
        found = _unwanted(url, parts, options) or _found(parts, options.skip_domains)
    except (BadURL, ValueError) as error:
        return _unreadable(parts, error)
    if isinstance(found, RefusedItem):
        return found
    try:
        return _item(entry, url, found, feed_url)
    except ValueError as error:
        return RefusedItem("bad2", f"the item can't be stored: {error}"[:200])


def newest(entries: Sequence[FeedEntry], most: int) -> Sequence[FeedEntry]:
    """Return at most `most` entries (0: all), the newest, in the order of the document.

    An entry without a date counts as old as the one before it.
    """
    if not 0 < most < len(entries):
        return entries
    dates = list(_dates(entries))
    by_age = sorted(range(len(entries)), key=dates.__getitem__, reverse=True)
    return [entries[place] for place in sorted(by_age[:most])]


def _dates(entries: Sequence[FeedEntry]) -> Iterator[datetime]:
    # Feeds list the newest first, so entries without a date at the beginning are taken for new.
    date = datetime.max
    for entry in entries:
        date = entry.published_at or date
        yield date


class _Found(NamedTuple):
    identity: str
    domain: str


def _unwanted(url: str, parts: Parts, options: AcceptanceOptions) -> RefusedItem | None:
    if 0 < options.max_url < len(url):
        return RefusedItem("toolong", f"the link has {len(url)} characters, over {options.max_url}")
    if options.skip_home_pages and (counter := _home_page(parts)):
        return RefusedItem(counter, "the link looks like a home page")
    return None


def _found(parts: Parts, skip: Collection[str]) -> _Found | RefusedItem:
    if parts.scheme not in DEFAULT_PORTS:
        return RefusedItem(
            "bad", f"the link's scheme, {parts.scheme[:20]}, is not one of web pages"
        )
    host = server(parts.scheme, parts.authority).name
    domain = domain_of_parts(parts)
    if is_non_news(domain, skip) or is_within(host, skip):
        return RefusedItem("nonews", f"{domain or host} gives no stories")
    return _Found(identity_of(parts), domain)


def _unreadable(parts: Parts, error: BadURL | ValueError) -> RefusedItem:
    if isinstance(error, BadURL) and error.status == "no-host":
        return RefusedItem("nonurl", "the link names no host")
    if "[" in parts.authority or "]" in parts.authority:
        return RefusedItem("relurl", "the link's host is no IPv6 address")
    return RefusedItem("bad", f"the link can't be read: {error}"[:200])


def _home_page(parts: Parts) -> str:
    """Return the counter of a home page, "" for any other page: `/?p=12` is a story."""
    if parts.is_route or not is_front_page_path(parts.path):
        return ""
    if not parts.query:
        return "home"
    left = without_tracking(parts.query, parts.path)
    return "" if query_names_page(left) else "home_query"


def _item(entry: FeedEntry, url: str, found: _Found, feed_url: str) -> NewItem:
    _check_text(" ".join((url, entry.guid or "", entry.title or "", entry.published or "")))
    title = normalized_title(entry.title)
    return NewItem(
        url=url,
        identity=found.identity,
        domain=found.domain,
        guid=entry.guid,
        guid_means=not entry.guid or entry.guid == url or tells_apart(entry.guid, feed_url),
        title=entry.title,
        normalized_title=title,
        title_hash=title_hash(title),
        published_at=entry.published_at,
        published=entry.unread_date,
        date_source=entry.date_source,
    )


def _check_text(text: str) -> None:
    """Raise ValueError for a text that can't be sent or stored."""
    # PostgreSQL refuses NUL in text, and a lone surrogate has no UTF-8 form.
    if "\0" in text:
        raise ValueError("a NUL")
    text.encode()
