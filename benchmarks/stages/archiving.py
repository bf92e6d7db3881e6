"""The archiver: from the importer's message to a verified archive in a store, with its index.

The alternative is the existing system's writer: warcio with its defaults, and a pickled message.
"""

import io
import json
import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from benchmarks.measuring.corpus import CorpusPage
from benchmarks.measuring.rounds import cpu_seconds
from benchmarks.measuring.stage import Done, Stage, Unit
from benchmarks.measuring.stories import parsed
from indexer.stories.story import Story
from workers.stories.archiver import Archiver, ArchiverOptions

HEAD = [("Content-Type", "text/html; encoding=utf-8")]
KIND = "application/x.mediacloud-indexer+json"


@contextmanager
def stages(pages: Sequence[CorpusPage]) -> Iterator[Sequence[Stage]]:
    """Each turn writes one archive."""
    stories = parsed(pages)
    ours = [story.dump() for story in stories]
    theirs = [pickle.dumps((story.url, story.metadata(), story.raw_html.html)) for story in stories]
    contenders = {"ours": lambda: _archived(ours), "warcio": lambda: _written(theirs)}
    floors = {"warcio": "nothing is verified, indexed or uploaded"}
    yield [Stage("archiver, stories", Unit.RATE, 1000, contenders, floors)]


def _archived(messages: Sequence[bytes]) -> Done:
    with TemporaryDirectory() as place:
        options = ArchiverOptions(data=Path(place), archive_url=[f"{place}/store"])
        archiver = Archiver(options)
        started = cpu_seconds()
        for message in messages:
            archiver.add(Story.load(message))
        number = len(archiver.flush())
        seconds = cpu_seconds() - started
        archiver.close()
    return Done(number, seconds)


def _written(messages: Sequence[bytes]) -> Done:
    with TemporaryFile() as file:
        started = cpu_seconds()
        writer = WARCWriter(file, gzip=True)
        for message in messages:
            url, metadata, html = pickle.loads(message)  # noqa: S301 - our own bytes
            head = StatusAndHeaders("200 OK", HEAD, protocol="HTTP/1.0")
            page = io.BytesIO(html)
            record = writer.create_warc_record(url, "response", page, http_headers=head)
            writer.write_record(record)
            about = io.BytesIO(json.dumps(metadata, indent=2).encode())
            writer.write_record(
                writer.create_warc_record(url, "metadata", about, warc_content_type=KIND)
            )
        return Done(len(messages), cpu_seconds() - started)
