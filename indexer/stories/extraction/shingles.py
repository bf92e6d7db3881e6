"""Texts compared by their shingles: all runs of four words, each as often as it occurs.

A character of Chinese or Japanese is a word, because their words have no spaces.
"""

import re
from collections import Counter

SHINGLE = 4
"""The number of words in a shingle."""

_WORD = re.compile("[\u2e80-\u9fff\uf900-\ufaff]|[^\\W_\u2e80-\u9fff\uf900-\ufaff]+")


def shingles(text: str) -> Counter[tuple[str, ...]]:
    """The shingles of a text. A text of fewer words than a shingle is one."""
    words = _WORD.findall(text.lower())
    if len(words) < SHINGLE:
        return Counter([tuple(words)] if words else [])
    return Counter(zip(*(words[start:] for start in range(SHINGLE)), strict=False))


def text_score(found: str, right: str) -> tuple[float, float]:
    """Precision and recall of a text, 0 to 1. No text is right where there is none."""
    theirs, ours = shingles(right), shingles(found)
    if not theirs and not ours:
        return 1.0, 1.0
    both = (theirs & ours).total()
    return both / max(1, ours.total()), both / max(1, theirs.total())


def f1(precision: float, recall: float) -> float:
    """The harmonic mean of precision and recall."""
    both = precision + recall
    return 2 * precision * recall / both if both else 0.0
