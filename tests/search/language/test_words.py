"""Splitting texts into words like Elasticsearch's standard analyzer."""

import random
import unicodedata
from operator import itemgetter

import pytest
from elasticsearch import Elasticsearch

from indexer.search.language.words import MAX_WORD_UNITS, normal, placed_words, words
from tests.each_row import each_row
from tests.search.corpus import corpus

ALPHABET = [
    *"aBé12٣_‿.,'’:;·\"-  /@#*中国々ひがカーｶ한글กไהצלßΣİم１Ａ½Ⅷ€&\n\t",
    *("e\u0301", "か\u3099", "ลาว", "नमस्ते", "\u0640", "\u061c", "\uff0e", "\u05f3", "\u05f4"),
    *(
        "\u00ad",
        "\u200b",
        "\u200d",
        "\ufe0f",
        "\u20e3",
        "😀",
        "👨",
        "❤",
        "👍🏽",
        "🇫",
        "🇷",
        "©",
        "★",
    ),
    *("\u202f", "\u3000", "\u00a0", "\U0001d400", "0600\u0600", "ℹ", "Ⓜ"),
]


def random_texts(number: int) -> list[str]:
    """Return random texts of characters of all scripts."""
    chance = random.Random(29)
    return ["".join(chance.choices(ALPHABET, k=chance.randint(1, 40))) for _ in range(number)]


LONG = [
    "x" * 600,
    "x" * 254 + "'y zz",
    "สวัสดี" * 100,
    "\U0001d400" * 300,
    "a" * 254 + "_b",
    "1." * 300,
    "a\u0301" * 200,
    "x" * 254 + "é\u0301b",
]


@each_row(
    ("text", "expected"),
    [
        ("", ""),
        ("It's 3.14 at 10:30", "it's 3.14 at 10 30"),
        ("e-mail, C++ & #tag", "e mail c tag"),
        ("foo_bar U.S.A. 10,000", "foo_bar u.s.a 10,000"),
        ("İstanbul ΣΑΣ Straße", "istanbul σασ straße"),
        ("中国人。ひらがな", "中 国 人 ひ ら が な"),
        ("カタカナ ｶﾀｶﾅ 한국어", "カタカナ ｶﾀｶﾅ 한국어"),
        ("สวัสดีครับ ไทย", "สวัสดีครับ ไทย"),
        ("नमस्ते مرحبا", "नमस्ते مرحبا"),
        ("צה\"ל ג'ירפה", "צה\"ל ג'ירפה"),
        ('ה"ל"ם בגדה\'', "ה\"ל ם בגדה'"),
        ("😀👨‍👩‍👧 🇫🇷🇩🇪 1️⃣", "😀 👨‍👩‍👧 🇫🇷 🇩🇪 1️⃣"),
    ],
)
def test_words_are_cut_as_unicode_says(text: str, expected: str) -> None:
    assert words(text) == expected.split()


def test_french_numbers_are_one_word() -> None:
    assert words("10\u202f000 euros") == ["10\u202f000", "euros"]


@each_row("text", LONG)
def test_a_long_word_is_cut_into_pieces(text: str) -> None:
    found = words(text)
    assert len(found) > 1
    assert all(len(word.encode("utf-16-le")) <= 2 * MAX_WORD_UNITS for word in found)


def test_placed_words_are_the_same_and_are_where_they_say() -> None:
    texts = [*random_texts(200), *LONG, *(document.text("text_content") for document in corpus())]
    for text in texts:
        placed = list(placed_words(text))
        assert [word for _, word in placed] == words(text)
        assert placed == sorted(placed, key=itemgetter(0))
    assert list(placed_words("one two-three")) == [(0, "one"), (4, "two"), (4, "three")]


def test_a_text_has_one_spelling() -> None:
    assert normal("e\u0301") == normal("é") == "é"


@pytest.mark.external
def test_elasticsearch_cuts_the_same_words(server: Elasticsearch) -> None:
    texts = [*random_texts(500), *LONG, *(document.text("text_content") for document in corpus())]
    different = {text for text in texts if words(text) != analyzed(server, text)}
    assert different == set()


@pytest.mark.external
def test_elasticsearch_knows_every_character_of_unicode_12_as_we_do(server: Elasticsearch) -> None:
    """Lucene 9 uses Unicode 12.1; no later version changes the characters of `ucd_3_2_0`."""
    old = unicodedata.ucd_3_2_0
    known = [chr(code) for code in range(0x20, 0x30000) if old.category(chr(code))[0] not in "C"]
    different = []
    for start in range(0, len(known), 500):
        text = "\n".join(f"a{char}b 1{char}2 {char}" for char in known[start : start + 500])
        if words(text) != analyzed(server, text):
            different.append(known[start])
    assert different == []


def analyzed(server: Elasticsearch, text: str) -> list[str]:
    """Return the words of the server's standard analyzer."""
    tokens = server.indices.analyze(analyzer="standard", text=text)["tokens"]
    return [token["token"] for token in tokens]
