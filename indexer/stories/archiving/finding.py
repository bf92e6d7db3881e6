"""Searches archives for the stories of given URLs: many URLs in one pass.

A story matches by any of its URLs, unchanged (of its record, link, final URL, original URL), and by
its document id, so that every spelling of a URL that the index treats as the same matches.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import quote

from indexer.errors import Discard
from indexer.news.normalized_urls import unique_url_hash
from indexer.stories.archiving.story_archive_reader import ArchivedStory, Fault, read_stories
from indexer.stories.queuers.url_lists import ListedURL
from indexer.warc.members import Readable


@dataclass(frozen=True, slots=True)
class Found:
    """A story that matches the URL `wanted`, and its place in the archive.

    `url` is the URL by which the story is indexed.
    """

    wanted: str
    record: int
    offset: int
    date: str
    url: str


class Finder:
    """Searches one archive after the other for the stories of URLs."""

    def __init__(self, urls: Iterable[ListedURL]) -> None:
        self._ids: dict[str, list[str]] = {}
        self._missing: dict[str, None] = {}
        for url in urls:
            if url.url not in self._missing:
                self._missing[url.url] = None
                self._ids.setdefault(url.id, []).append(url.url)
        self._exact = frozenset(self._missing)

    @property
    def missing(self) -> list[str]:
        """The URLs that have not been found yet, in the order of the list."""
        return list(self._missing)

    def search(self, file: Readable) -> Iterator[Found | Fault | None]:
        """For each story of an archive: a `Found` for each URL that it matches, or None.

        A damaged record yields its Fault, and the search goes on. Raises errors of reading.
        """
        for item in read_stories(file):
            if isinstance(item, Fault):
                yield item
                continue
            matching = self._matching(item)
            if not matching:
                yield None
            for url in matching:
                self._missing.pop(url, None)
                yield Found(url, item.number, item.offset, item.date, document_url(item))

    def _matching(self, story: ArchivedStory) -> list[str]:
        same_url = self._exact.intersection(_urls(story))
        try:
            same_id = self._ids.get(unique_url_hash(document_url(story)), [])
        except Discard:
            same_id = []
        return sorted(same_url.union(same_id))


def document_url(story: ArchivedStory) -> str:
    """The URL by which a story is indexed, or "", with unprintable characters percent-encoded.

    Unless the URL has control characters, its document id stays the same.
    """
    # Printable characters beyond ASCII stay: percent-encoded, an international host is invalid.
    url = (story.story.content_metadata.url or "").strip() or story.uri
    return "".join(char if char.isprintable() and char != " " else quote(char) for char in url)


def _urls(archived: ArchivedStory) -> list[str | None]:
    story = archived.story
    return [
        archived.uri,
        story.rss_entry.link,
        story.http_metadata.final_url,
        story.content_metadata.url,
        story.content_metadata.original_url,
    ]
