"""The importer: from the parser's message to the embedded index and the archiver's message.

The alternative is a script that loads a pickle, inserts a row into SQLite's full-text search, and
pickles the story again.
"""

import pickle
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measuring.corpus import CorpusPage
from benchmarks.measuring.rounds import cpu_seconds
from benchmarks.measuring.stage import Done, Stage, Unit
from benchmarks.measuring.stories import parsed
from indexer.messages.worker import Done as Ended
from indexer.stories.story import Story
from workers.stories.importer import Importer, ImporterOptions

ROW = ("url", "article_title", "text_content")


@contextmanager
def stages(pages: Sequence[CorpusPage]) -> Iterator[Sequence[Stage]]:
    """Each turn fills an empty index."""
    stories = parsed(pages)
    ours = [story.dump() for story in stories]
    theirs = [pickle.dumps((story.metadata(), story.raw_html.html)) for story in stories]
    contenders = {"ours": lambda: _imported(ours), "FTS5": lambda: _inserted(theirs)}
    floors = {"FTS5": "one process, no duplicates, no statuses, no other languages' words"}
    yield [Stage("importer, stories", Unit.RATE, 1200, contenders, floors)]


def _imported(messages: Sequence[bytes]) -> Done:
    with TemporaryDirectory() as place:
        importer = Importer(ImporterOptions(data=Path(place)))
        started = cpu_seconds()
        for message in messages:
            importer.add(Story.load(message))
        sent = [
            story.dump()
            for ending in importer.flush()
            if isinstance(ending, Ended)
            for story in ending.outputs
        ]
        seconds = cpu_seconds() - started
        importer.close()
    return Done(len(sent), seconds)


def _inserted(messages: Sequence[bytes]) -> Done:
    with TemporaryDirectory() as place, closing(sqlite3.connect(f"{place}/index")) as index:
        index.execute(f"CREATE VIRTUAL TABLE stories USING fts5({', '.join(ROW)})")
        started = cpu_seconds()
        for message in messages:
            metadata, html = pickle.loads(message)  # noqa: S301 - our own bytes
            row = [metadata["content_metadata"][name] for name in ROW]
            index.execute("INSERT INTO stories VALUES (?, ?, ?)", row)
            pickle.dumps((metadata, html))
        index.commit()
        return Done(len(messages), cpu_seconds() - started)
