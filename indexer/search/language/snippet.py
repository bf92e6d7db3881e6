"""Snippets: plain text on one line, cut from a text around the first match of a query."""

import unicodedata
from collections import deque
from collections.abc import Sequence

from indexer.search.language.tree import Tree, wanted
from indexer.search.language.words import placed_words, words
from indexer.text.cleaning import one_line

LENGTH = 240
"""Approximate columns of a snippet; a Chinese character takes two."""

_BEFORE = 80
"""Columns before the match."""


class Snippets:
    """Makes the snippets of one query's hits, from the text of a field."""

    def __init__(self, tree: Tree, field: str) -> None:
        sought = [(words(node.text), node.prefix) for node in wanted(tree) if field in node.fields]
        self._longest = max((len(phrase) for phrase, _ in sought), default=0)
        self._beginnings = [phrase for phrase, prefix in sought if prefix]
        # By their last words: a query may have 500 phrases, and each word of a text is looked up.
        self._phrases: dict[str, list[list[str]]] = {}
        for phrase, prefix in sought:
            if not prefix:
                self._phrases.setdefault(phrase[-1], []).append(phrase)

    def of(self, text: str) -> str:
        """Return the text around the first match; the beginning if there is none."""
        place = self._place(text) if self._longest else 0
        width = 2 if unicodedata.east_asian_width(text[place : place + 1] or " ") in "WF" else 1
        start = _start(text, place, _BEFORE // width)
        end = _end(text, start + LENGTH // width, place)
        piece = one_line(text[start:end], 2 * LENGTH)
        return f"{'…' if start else ''}{piece}{'…' if end < len(text) else ''}"

    def _place(self, text: str) -> int:
        """Return the position of the first match; 0 if there is none."""
        recent: deque[tuple[int, str]] = deque(maxlen=self._longest)
        for placed in placed_words(text):
            recent.append(placed)
            if length := self._ending(recent):
                return recent[-length][0]
        return 0

    def _ending(self, recent: Sequence[tuple[int, str]]) -> int:
        """Return the number of words of the phrase that ends these words; 0 if there is none."""
        last = recent[-1][1]
        for phrase in self._phrases.get(last, ()):
            if _ends_with(recent, phrase[:-1]):
                return len(phrase)
        for phrase in self._beginnings:
            if last.startswith(phrase[-1]) and _ends_with(recent, phrase[:-1]):
                return len(phrase)
        return 0


def _ends_with(recent: Sequence[tuple[int, str]], phrase: list[str]) -> bool:
    """Return whether the words before the last one are the phrase."""
    if len(recent) <= len(phrase):
        return False
    return all(recent[-2 - back][1] == word for back, word in enumerate(reversed(phrase)))


def _start(text: str, place: int, before: int) -> int:
    """Return the start of a snippet that shows `place`: at a word if there are spaces."""
    if place <= before:
        return 0
    space = text.find(" ", place - before, place)
    return space + 1 if space >= 0 else _at_character(text, place - before)


def _end(text: str, end: int, place: int) -> int:
    """Return the end of a snippet: at a word if there are spaces."""
    if end >= len(text):
        return len(text)
    space = text.rfind(" ", place + 1, end)
    return space if space >= 0 else _at_character(text, end)


def _at_character(text: str, position: int) -> int:
    """Return the position after any combining marks, which belong to the character before them."""
    while position < len(text) and unicodedata.category(text[position]).startswith("M"):
        position += 1
    return position
