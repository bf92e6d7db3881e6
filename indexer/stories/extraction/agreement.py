"""Compares texts with those of trafilatura, for a sample of stories.

A layout that our extractor does not understand shows as a host whose texts agree with trafilatura's
less than before.
"""

from typing import Any

from indexer.news.normalized_urls import unique_url_hash
from indexer.stories.extraction.article import BLOCKS, Text, second_opinion
from indexer.stories.extraction.blocks.layout import collapse
from indexer.stories.extraction.shingles import f1, text_score

LARGEST = 1_000_000
"""The most bytes of a page in the sample. Larger ones take trafilatura seconds."""

_DIGITS = 8


def is_sampled(url: str, share: float) -> bool:
    """Whether a story is in the sample: by its id, so the same stories are, each time.

    Raises Discard("bad-url").
    """
    return share > 0 and int(unique_url_hash(url)[:_DIGITS], 16) < share * 16**_DIGITS


def agreement(tree: Any, url: str, found: Text) -> float | None:
    """The F1 of our text and trafilatura's, 0 to 1; None if the text is not our extractor's.

    Collapses the white space of `tree`.
    """
    if found.method != BLOCKS:
        return None
    collapse(tree)
    return f1(*text_score(found.text, second_opinion(tree, url)))
