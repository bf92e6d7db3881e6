"""Reading archives: the records of a compressed WARC file of stories, unpacked and checked."""

import io
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from fastwarc.warc import ArchiveIterator as FastWARC
from warcio.archiveiterator import ArchiveIterator as Warcio
from zlib_ng import zlib_ng

from benchmarks.measuring.corpus import CorpusPage
from benchmarks.measuring.rounds import measure
from benchmarks.measuring.stage import Stage, Unit
from indexer.stories.archiving.story_archive_writer import ArchiveEntry, StoryArchiveWriter
from indexer.stories.story import ContentMetadata, HTTPMetadata, RawHTML, RSSEntry, Story
from indexer.warc.members import Members
from indexer.warc.reader import read
from indexer.warc.record import Record

TIMES = 3
"""So many times as fast as warcio's reader: the aim, whatever the pages are."""


@contextmanager
def stages(pages: Sequence[CorpusPage]) -> Iterator[Sequence[Stage]]:
    """The records of an archive of the pages."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.warc.gz")
        _write(path, pages)
        members = _members(path.read_bytes())
        warcio = {"warcio": lambda: _warcio(path)}
        aim = TIMES * measure(Stage("", Unit.RATE, 0, warcio), rounds=3).ours
        records: Mapping[str, Callable[[], int]] = {
            "ours": lambda: _records(path),
            **warcio,
            "fastwarc": lambda: _fastwarc(path),
            "zlib-ng": lambda: _unpacked(members),
        }
        floors = {
            "fastwarc": "ends at the first damage, and has no limit of size",
            "zlib-ng": "unpacks members that are known, and reads no headers",
        }
        yield [Stage("archives read, records", Unit.RATE, aim, records, floors)]


def _write(path: Path, pages: Sequence[CorpusPage]) -> None:
    with path.open("wb") as file:
        writer = StoryArchiveWriter(file, path.name, host="localhost")
        for page in pages:
            story = Story(
                rss_entry=RSSEntry(link=page.url, title="A bridge opens", via="a feed"),
                http_metadata=HTTPMetadata(
                    response_code=200, final_url=page.url, fetch_timestamp=1736150400.5
                ),
                content_metadata=ContentMetadata(
                    url=page.url,
                    canonical_domain="daily.example",
                    language="en",
                    publication_date="2025-01-06",
                    article_title="A bridge opens",
                    text_content="The bridge over the harbour was opened today. " * 60,
                    parsed_date="2025-01-06T08:00:00.000000",
                ),
                raw_html=RawHTML(html=page.html),
            )
            writer.write(ArchiveEntry.of(story))


def _records(path: Path) -> int:
    with path.open("rb") as file:
        return sum(isinstance(each, Record) for each in read(file))


def _warcio(path: Path) -> int:
    with path.open("rb") as file:
        return sum(each.content_stream().read() is not None for each in Warcio(file))


def _fastwarc(path: Path) -> int:
    with path.open("rb") as file:
        return sum(each.reader.read() is not None for each in FastWARC(file))


def _members(data: bytes) -> list[bytes]:
    offsets = [each.offset for each in Members(io.BytesIO(data))]
    return [data[start:end] for start, end in pairwise([*offsets, len(data)])]


def _unpacked(members: Sequence[bytes]) -> int:
    return sum(zlib_ng.decompress(each, zlib_ng.MAX_WBITS | 16) != b"" for each in members)
