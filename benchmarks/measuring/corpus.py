"""The pages that the stages read: generated ones, or those of a folder or a WARC file."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from benchmarks.site import build
from indexer.stories.archiving.story_archive_reader import ArchivedStory, read_stories

PAGES = 300
"""The pages that are read at most, so that a stage takes seconds."""


class CorpusPage(NamedTuple):
    """A page: its URL, and the bytes of its HTML."""

    url: str
    html: bytes


def corpus(place: Path | None = None, pages: int = PAGES) -> list[CorpusPage]:
    """At most `pages` pages: `*.html` of a folder, stories of a WARC file, or generated ones."""
    if place is None:
        found = _generated(pages)
    elif place.is_dir():
        found = _of_folder(place)
    else:
        found = _of_archive(place)
    some = list(islice(found, pages))
    if not some:
        raise SystemExit(
            f"{place} has no pages: a folder of .html files, or a WARC file, is needed"
        )
    return some


def _generated(pages: int) -> Iterator[CorpusPage]:
    replies = build(pages, hosts=50).replies
    return (
        CorpusPage(url, reply.body)
        for url, reply in replies.items()
        if reply.headers.get("Content-Type", "").startswith("text/html")
    )


def _of_folder(folder: Path) -> Iterator[CorpusPage]:
    for path in sorted(folder.rglob("*.html")):
        yield CorpusPage(f"https://page.example/{path.stem}", path.read_bytes())


def _of_archive(path: Path) -> Iterator[CorpusPage]:
    with path.open("rb") as file:
        for item in read_stories(file):
            if isinstance(item, ArchivedStory) and (html := item.story.raw_html.html):
                yield CorpusPage(item.uri, html)
