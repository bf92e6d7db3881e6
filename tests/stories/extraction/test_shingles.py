"""Texts compared by their shingles."""

import pytest

from indexer.stories.extraction.shingles import text_score
from tests.each_row import each_row


@each_row(
    ("found", "right", "precision", "recall"),
    [
        ("one two three four five", "One, two three: four five!", 1, 1),
        ("one two three four five", "one two three four", 0.5, 1),
        ("one two three four", "one two three four five", 1, 0.5),
        # Repeats count.
        ("a b c d a b c d", "a b c d", 0.2, 1),
        ("", "one two three four", 0, 0),
        ("one two three four", "", 0, 0),
        ("", "", 1, 1),
        ("one two", "one two", 1, 1),
        # A character is a word: two of three shingles.
        ("湖畔晚报社", "湖畔晚报社长", 1, 2 / 3),
    ],
)
def test_texts_are_compared_by_runs_of_four_words(
    found: str, right: str, precision: float, recall: float
) -> None:
    assert text_score(found, right) == pytest.approx((precision, recall))
