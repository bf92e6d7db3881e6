"""Splitting plain lines fast, and like all other texts."""

import random
import re

from indexer.search.language import plain_lines
from indexer.search.language.plain_lines import BREAKS, DIGITS, IN_NUMBERS, IN_WORDS, spaced
from indexer.search.language.words import cut, words
from tests.each_row import each_row
from tests.search.corpus import corpus
from tests.search.language.test_words import LONG, random_texts

WORDS = plain_lines.LETTERS + plain_lines.IDEOGRAPHS + plain_lines.KATAKANA + DIGITS
PUNCTUATION = IN_WORDS + IN_NUMBERS + BREAKS


def members(characters: str) -> list[str]:
    """Return the characters of a class."""
    return re.findall(f"[{characters}]", "".join(map(chr, range(0xD800))))


def is_split_alike(line: str) -> bool:
    """Return whether a line has the same words in the fast way, if it is plain."""
    return spaced(line) is None or words(line) == cut(line)


def test_every_character_of_a_plain_line_is_split_as_in_other_texts() -> None:
    some = random.Random(13).sample(members(WORDS), 400) + members(PUNCTUATION)
    pattern = "a{0}b 1{0}2 {0} {0}a{0} a{0}1 1{0}a 中{0}ひ カ{0}カ a{0}.b"
    assert spaced(" ".join(some)) is not None
    assert [one for one in some if not is_split_alike(pattern.format(one))] == []


def test_plain_lines_of_all_kinds_have_the_words_of_other_texts() -> None:
    chance = random.Random(5)
    parts = [*members(PUNCTUATION), *'aB1é中ひカー々한ж١" ', "ab", "12", "  ", "ИЛИ"]
    lines = ["".join(chance.choices(parts, k=chance.randint(1, 30))) for _ in range(2000)]
    texts = [*(document.text("text_content") for document in corpus()), *random_texts(200), *LONG]
    lines += [line for text in texts for line in text.split("\n")]
    assert [line for line in lines if not is_split_alike(line)] == []
    assert sum(spaced(line) is not None for line in lines) > 1500


@each_row(
    "text",
    ["under_score", "नमस्ते", "ไทย", 'צה"ל', "😀", "e\u0301", "10\u202f000", "#\u20e3", "x" * 128],
)
def test_lines_with_other_texts_are_not_plain(text: str) -> None:
    assert spaced(f"Before, {text} after.") is None
