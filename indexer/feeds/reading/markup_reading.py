"""Reads feeds and sitemaps in XML, well-formed or not."""

from datetime import datetime

from indexer.errors import BadFeed
from indexer.feeds.reading.document_kinds import check_items, check_root, format_name
from indexer.feeds.reading.entry import FeedEntry
from indexer.feeds.reading.entry_links import resolved
from indexer.feeds.reading.markup_entries import maker
from indexer.feeds.reading.result import CUT, MAX_ENTRIES, TOO_MANY, DocumentReading, one_title
from indexer.feeds.reading.update_minutes import LONGEST, update_minutes
from indexer.news.syndication.feed_markup import SITEMAP, SITEMAP_INDEX, MarkupFeed, MarkupItem
from indexer.text.cleaning import clean
from indexer.text.decoding.ladder import MAX_CONTROLS, controls

UNDECODABLE = "UnicodeEncodeError('utf-8', '', 0, 1, 'no text in any encoding')"


def read_markup(text: str, url: str, now: datetime) -> DocumentReading:
    """Read a document; of one that is cut off, the whole items before the cut. Raises BadFeed."""
    document = _Document(url, now)
    document.read(text)
    feed, entries = document.feed, document.entries
    try:
        check_root(feed, text)
        check_items(feed, len(entries))
    except BadFeed as error:
        # A picture or an archive also gives some text: control characters tell them apart.
        if controls(text, clean(text)) > MAX_CONTROLS:
            raise BadFeed(UNDECODABLE) from error
        raise
    minutes = update_minutes(feed.head, LONGEST)
    return DocumentReading(format_name(feed), document.title, minutes, entries, document.warnings)


class _Document:
    """A document while it is being read."""

    def __init__(self, url: str, now: datetime) -> None:
        self.feed = MarkupFeed()
        self.entries: list[FeedEntry] = []
        self.warnings: list[str] = []
        self._url = url
        self._now = now
        self._publication = ""

    @property
    def title(self) -> str | None:
        """The feed's title; for a sitemap, one made of its first publication's name."""
        if self.feed.format is SITEMAP:
            return one_title(f"{self._publication} Google News sitemap")
        return one_title(self.feed.head.text("title"))

    def read(self, text: str) -> None:
        """Make entries of all whole items."""
        found = self.feed.items([text])
        # The format and the base URL are known when the first item has been read.
        item = next(found, None)
        if item is None or self.feed.format is None or self.feed.format is SITEMAP_INDEX:
            return
        make, base, now = maker(self.feed.format), self._base(), self._now
        while item is not None and self._takes(item):
            self.entries.append(make(item, base, now))
            item = next(found, None)

    def _takes(self, item: MarkupItem) -> bool:
        if not item.whole:
            self.warnings.append(CUT)
        elif len(self.entries) >= MAX_ENTRIES:
            self.warnings.append(TOO_MANY)
        else:
            self._publication = self._publication or item.text("news:name")
            return True
        return False

    def _base(self) -> str:
        """The base URL of links: the document's own URL, unless the document names another."""
        base = self._url
        for name in ("root", "channel"):
            own = next(self.feed.head.attributes(name), {}).get("xml:base", "")
            base = resolved(own, base) or base
        return base
