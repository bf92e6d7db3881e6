"""Parsing: all fields of a page, as the parser's child extracts them, beside the libraries.

mcmetadata finds the same fields. trafilatura finds the text, the title, the date and the URL, but
neither the language nor the normalised forms. The start of the child is apart: see `starting`.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import mcmetadata
import trafilatura
from mcmetadata.exceptions import BadContentError

from benchmarks.measuring.corpus import CorpusPage
from benchmarks.measuring.stage import Done, Stage, Unit
from indexer.errors import Discard
from indexer.stories.extraction.extraction import extract
from indexer.stories.extraction.pages import FetchedPage

PAGES = 100

AIM_MILLISECONDS = 6


@contextmanager
def stages(pages: Sequence[CorpusPage]) -> Iterator[Sequence[Stage]]:
    """The fields of the first pages."""
    some = pages[:PAGES]
    # The first page imports libraries and loads models.
    for contender in (_ours, _mcmetadata, _trafilatura):
        contender(some[:1])
    contenders: dict[str, Callable[[], int | Done]] = {
        "story-indexer": lambda: _ours(some),
        "mcmetadata": lambda: _mcmetadata(some),
        "trafilatura": lambda: _trafilatura(some),
    }
    yield [
        Stage(
            "parse a page, all fields",
            Unit.MILLISECONDS,
            AIM_MILLISECONDS,
            contenders,
            floors={"trafilatura": "text, title and date only"},
        )
    ]


def _ours(pages: Sequence[CorpusPage]) -> int:
    now = time.time()
    for page in pages:
        try:
            extract(FetchedPage(url=page.url, html=page.html, now=now))
        except Discard:
            # A page of a folder may be no story.
            continue
    return len(pages)


def _mcmetadata(pages: Sequence[CorpusPage]) -> int:
    for page in pages:
        try:
            mcmetadata.extract(page.url, page.html.decode("utf-8", "replace"))
        except BadContentError:
            continue
    return len(pages)


def _trafilatura(pages: Sequence[CorpusPage]) -> int:
    for page in pages:
        text = page.html.decode("utf-8", "replace")
        trafilatura.bare_extraction(text, url=page.url, with_metadata=True)
    return len(pages)
