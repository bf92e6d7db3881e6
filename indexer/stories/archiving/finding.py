"""Which archives hold the stories of given URLs: many URLs, one pass.

A story is found by the URL of its record, by those it had on its way (link, final URL, original
URL), as they are; and by its document id, so that any URL that is indexed as the same is found.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import quote

from indexer.errors import Discard
from indexer.news.ids import unique_url_hash
from indexer.stories.archiving.story_archive_reader import ArchivedStory, Lost, read_stories
from indexer.stories.queuers.url_lists import ListedURL
from indexer.warc.members import Readable


@dataclass(frozen=True, slots=True)
class Found:
    """A story that was looked for: by which URL, and where it is in its archive.

    `url` is the story's own, the one that it is indexed by.
    """

    wanted: str
    record: int
    offset: int
    date: str
    url: str


class Finder:
    """Looks for the stories of URLs, in one archive after the other."""

    def __init__(self, urls: Iterable[ListedURL]) -> None:
        self._ids: dict[str, list[str]] = {}
        self._missing: dict[str, None] = {}
        for url in urls:
            if url.url not in self._missing:
                self._missing[url.url] = None
                self._ids.setdefault(url.id, []).append(url.url)
        self._wanted = frozenset(self._missing)

    @property
    def missing(self) -> list[str]:
        """The URLs that no archive had so far, in the order of the list."""
        return list(self._missing)

    def search(self, file: Readable) -> Iterator[Found | Lost | None]:
        """Each story of an archive: where it is, if it is wanted, once for each URL; or None.

        What is damaged is told, and the rest searched. Raises what reading the file raises.
        """
        for item in read_stories(file):
            if isinstance(item, Lost):
                yield item
                continue
            wanted = self._by_which(item)
            if not wanted:
                yield None
            for url in wanted:
                self._missing.pop(url, None)
                yield Found(url, item.number, item.offset, item.date, document_url(item))

    def _by_which(self, story: ArchivedStory) -> list[str]:
        exact = self._wanted.intersection(_urls(story))
        try:
            same = self._ids.get(unique_url_hash(document_url(story)), [])
        except Discard:
            same = []
        return sorted(exact.union(same))


def document_url(story: ArchivedStory) -> str:
    """The URL that a story is indexed by, or blank. What isn't printable is percent-encoded.

    It has the same document id, but for control characters. Other characters stay: a host that is
    spelt with them is none in percent-encoding.
    """
    url = (story.story.content_metadata.url or "").strip() or story.uri
    return "".join(char if char.isprintable() and char != " " else quote(char) for char in url)


def _urls(archived: ArchivedStory) -> Iterator[str]:
    story = archived.story
    yield archived.uri
    for url in (
        story.rss_entry.link,
        story.http_metadata.final_url,
        story.content_metadata.url,
        story.content_metadata.original_url,
    ):
        if url:
            yield url
