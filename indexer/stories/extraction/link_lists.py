"""Lists of links: menus, archives and many front pages have no text of their own.

A text is a list of links if links are nearly all of it, and the rest is too short for a story.
Live blogs and round-ups of links pass, because they say something about each link. The share was
measured on the pages of `tests/stories/link_pages.py`, in eight languages: 86% of a list or more is
links, at most 65% of a round-up, and 80% of a text with a link in two of three words.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from indexer.stories.extraction.blocks.walk import Block

LEAST_SHARE = 0.83
"""The least share of links in a list of them."""

LONGEST_LINK = 150
"""The most letters of a link in a list. Longer ones are paragraphs of a text."""

MAX_TEXT = 50_000
"""The number of characters that decide what a text is."""

_BETWEEN_WORDS = re.compile(r"[\W\d_]+")

Links = Mapping[str, set[str]]
"""The texts of links, by their first letter."""


def is_prose(blocks: Iterable[Block], min_text: int) -> bool:
    """Whether blocks without links, longer than any link, have more than `min_text` letters.

    Such a text is no list of links. This is known without a look at the links of the page.
    """
    own = 0
    for block in blocks:
        if not block.links and len(block.text) > LONGEST_LINK:
            letters = sum(map(str.isalpha, block.text))
            own += letters if letters > LONGEST_LINK else 0
        if own > min_text:
            return True
    return False


def is_link_list(text: str, tree: Any, min_text: int) -> bool:
    """Whether a text from a page is a list of links, with at most `min_text` letters besides.

    Only letters count: white space, signs and dates stand between the links of any list.
    """
    line = _letters(text[:MAX_TEXT])
    links: defaultdict[str, set[str]] = defaultdict(set)
    for link in _links(tree):
        links[link[0]].add(link)
    own = _letters_besides(line, links, min_text)
    return own <= min_text and own < (1 - LEAST_SHARE) * len(line.replace(" ", ""))


def _letters_besides(line: str, links: Links, enough: int) -> int:
    """The number of letters that are in no link; counted up to `enough`, and one more.

    Most texts are no lists of links, so that the count ends within their first lines.
    """
    lengths = {
        first: sorted({len(link) for link in found}, reverse=True) for first, found in links.items()
    }
    position = own = 0
    while position < len(line) and own <= enough:
        first = line[position]
        ends = (position + length for length in lengths.get(first, ()))
        end = next((end for end in ends if line[position:end] in links[first]), 0)
        own += not end and first != " "
        position = end or position + 1
    return own


def _links(tree: Any) -> Iterator[str]:
    for element in tree.iter("a"):
        letters = _letters("".join(element.itertext())) if element.get("href") else ""
        # A single letter is in any text.
        if 1 < len(letters) <= LONGEST_LINK:
            yield letters


def _letters(text: str) -> str:
    """The words of a text, with single spaces between them."""
    return _BETWEEN_WORDS.sub(" ", text).strip()
