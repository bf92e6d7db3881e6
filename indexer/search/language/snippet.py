"""A piece of a story's text around what was looked for: plain text on one line."""

import unicodedata
from collections import deque
from collections.abc import Sequence

from indexer.search.language.tree import TEXT, Tree, wanted
from indexer.search.language.words import placed_words, words
from indexer.text.cleaning import one_line

LENGTH = 240
"""Columns of a snippet, about: a Chinese character takes two of them."""

_BEFORE = 80
"""How many of them are before what was found."""


class Snippets:
    """Makes the snippets of one query's hits."""

    def __init__(self, tree: Tree) -> None:
        sought = [(words(node.text), node.prefix) for node in wanted(tree) if TEXT in node.fields]
        self._longest = max((len(phrase) for phrase, _ in sought), default=0)
        self._beginnings = [phrase for phrase, prefix in sought if prefix]
        self._phrases: dict[str, list[list[str]]] = {}
        for phrase, prefix in sought:
            if not prefix:
                self._phrases.setdefault(phrase[-1], []).append(phrase)

    def of(self, text: str) -> str:
        """The surroundings of what was found first; the beginning of a text without any of it."""
        place = self._place(text) if self._longest else 0
        width = 2 if unicodedata.east_asian_width(text[place : place + 1] or " ") in "WF" else 1
        start = _start(text, place, _BEFORE // width)
        end = _end(text, start + LENGTH // width, place)
        piece = one_line(text[start:end], 2 * LENGTH)
        return f"{'…' if start else ''}{piece}{'…' if end < len(text) else ''}"

    def _place(self, text: str) -> int:
        """Where the first thing that was looked for begins."""
        recent: deque[tuple[int, str]] = deque(maxlen=self._longest)
        for placed in placed_words(text):
            recent.append(placed)
            if length := self._ending(recent):
                return recent[-length][0]
        return 0

    def _ending(self, recent: Sequence[tuple[int, str]]) -> int:
        """Of how many words is the phrase that these words end with; 0 if they end with none."""
        last = recent[-1][1]
        for phrase in self._phrases.get(last, ()):
            if _ends_with(recent, phrase[:-1]):
                return len(phrase)
        for phrase in self._beginnings:
            if last.startswith(phrase[-1]) and _ends_with(recent, phrase[:-1]):
                return len(phrase)
        return 0


def _ends_with(recent: Sequence[tuple[int, str]], phrase: list[str]) -> bool:
    """Whether the words before the last one are these."""
    if len(recent) <= len(phrase):
        return False
    return all(recent[-2 - back][1] == word for back, word in enumerate(reversed(phrase)))


def _start(text: str, place: int, before: int) -> int:
    """Where to begin to show `place`: at a word, where words have spaces between them."""
    if place <= before:
        return 0
    space = text.find(" ", place - before, place)
    return space + 1 if space >= 0 else _at_character(text, place - before)


def _end(text: str, end: int, place: int) -> int:
    """Where to end."""
    if end >= len(text):
        return len(text)
    space = text.rfind(" ", place + 1, end)
    return space if space >= 0 else _at_character(text, end)


def _at_character(text: str, position: int) -> int:
    """There, or after the marks there, which belong to the character before them."""
    while position < len(text) and unicodedata.category(text[position]).startswith("M"):
        position += 1
    return position
