"""The message of a story: written and read by two programs, or passed on by one.

pickle is the existing system's format. It doesn't compress pages, and runs code when it is read.
"""

import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from benchmarks.measuring.corpus import CorpusPage
from benchmarks.measuring.stage import Stage, Unit
from benchmarks.measuring.stories import parsed
from indexer.stories.story import RawHTML, Story

TURNS = 10


@contextmanager
def stages(pages: Sequence[CorpusPage]) -> Iterator[Sequence[Stage]]:
    """A page that is compressed, sent and read; and one that no program reads in between."""
    stories = parsed(pages)
    ours, theirs = [story.dump() for story in stories], [_pickled(story) for story in stories]
    floors = {"pickle": f"{_size(theirs) / _size(ours):.1f} × the bytes"}
    hop: dict[str, Callable[[], int]] = {
        "ours": lambda: _each(_sent_and_read, stories),
        "pickle": lambda: _each(lambda story: pickle.loads(_pickled(story)), stories),  # noqa: S301 - our own bytes
    }
    passed: dict[str, Callable[[], int]] = {
        "ours": lambda: _each(lambda data: Story.load(data).dump(), ours),
        "pickle": lambda: _each(lambda data: pickle.dumps(pickle.loads(data)), theirs),  # noqa: S301 - our own bytes
    }
    yield [
        Stage("message, dump, load and read", Unit.MILLISECONDS, 0.4, hop, floors),
        Stage("message, load and dump", Unit.MILLISECONDS, 0.4, passed, floors),
    ]


def _each(work: Callable[[Any], object], things: Sequence[Any]) -> int:
    for _ in range(TURNS):
        for thing in things:
            work(thing)
    return TURNS * len(things)


def _sent_and_read(story: Story) -> None:
    # A page that was compressed before would not be compressed again.
    page = RawHTML(html=story.raw_html.html, encoding=story.raw_html.encoding)
    _ = Story.load(msgspec.structs.replace(story, raw_html=page).dump()).raw_html.html


def _pickled(story: Story) -> bytes:
    parts = [msgspec.structs.asdict(getattr(story, name)) for name in story.metadata()]
    return pickle.dumps((parts, story.raw_html.html, story.raw_html.encoding))


def _size(messages: Sequence[bytes]) -> int:
    return sum(map(len, messages))
