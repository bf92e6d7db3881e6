"""Splits texts into words, in the same way as Elasticsearch's `standard` analyzer.

Both backends must find the same documents, so the words of the SQLite index are split here by the
rules of Lucene's StandardTokenizer: Unicode's word boundaries (UAX #29); each Han or Hiragana
character is a word, as is a run of Thai, Lao, Khmer or Burmese, and an emoji; punctuation is none.
Each character is then lowercased by itself and keeps its diacritics. A test compares the words
with those of a real server.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from indexer.search.language import plain_lines

MAX_WORD_UNITS = 255
"""Longer words are split into pieces of this many UTF-16 units, as the standard analyzer does."""

# A character takes one or two UTF-16 units, so no shorter word exceeds `MAX_WORD_UNITS`.
_SURE_LENGTH = MAX_WORD_UNITS // 2

_CACHED_LENGTH = 24

# Lucene 9 uses the properties of Unicode 12.1: characters whose property changed later are listed.
_NUMBER_SIGNS = r"\u0600-\u0605\u06DD\u08E2"
_LATER_LETTERS = r"\u00B8\u02E5-\u02EB\u055A\u058A\u070F\uA708-\uA716"
_LATER_SYMBOLS = (
    r"\u2388\u2600-\u2605\u2607-\u2612\u2614-\u2685\u2690-\u2705\u2708-\u2712\u2763-\u2767"
    r"\U0001F000-\U0001F0FF\U0001F10D-\U0001F10F\U0001F12F\U0001F16C-\U0001F171"
    r"\U0001F1AD-\U0001F1E5\U0001F260-\U0001F265\U0001F300-\U0001F3FA\U0001F400-\U0001F64F"
    r"\U0001F680-\U0001F6FF\U0001F900-\U0001F93A\U0001F947-\U0001FFFD"
)

# A character of a class, with the marks and joiners that follow it (rule WB4).
_MARK = rf"[\p{{WB=Format}}\p{{WB=Extend}}\p{{WB=ZWJ}}{_NUMBER_SIGNS}\u070F]"
_MARKS = rf"{_MARK}*+"
_LETTER = rf"[[\p{{WB=ALetter}}\p{{WB=Hebrew_Letter}}]--[{_LATER_LETTERS}]]{_MARKS}"
_HEBREW = rf"\p{{WB=Hebrew_Letter}}{_MARKS}"
_DIGIT = (
    rf"[[\p{{WB=Numeric}}--[{_NUMBER_SIGNS}]]"
    rf"[\p{{Nd}}&&\p{{Block=Halfwidth_And_Fullwidth_Forms}}]]{_MARKS}"
)
_KATAKANA = rf"\p{{WB=Katakana}}{_MARKS}"
_IN_WORD = rf"[[\p{{WB=MidLetter}}\p{{WB=MidNumLet}}\p{{WB=Single_Quote}}]--\u055F]{_MARKS}"
_IN_NUMBER = rf"[\p{{WB=MidNum}}\p{{WB=MidNumLet}}\p{{WB=Single_Quote}}]{_MARKS}"
_JOINER = rf"\p{{WB=ExtendNumLet}}{_MARKS}"
_APOSTROPHE = rf"\p{{WB=Single_Quote}}{_MARKS}"
_GERSHAYIM = rf"\p{{WB=Double_Quote}}{_MARKS}"
_FLAG_HALF = rf"\p{{WB=Regional_Indicator}}{_MARKS}"
# U+FE0F (emoji presentation) ends an emoji unless a joiner follows.
_JOINED = rf"[{_MARK}--\uFE0F]*+"
_PICTURE = rf"[\p{{Extended_Pictographic}}{_LATER_SYMBOLS}] {_JOINED} \uFE0F?+"
_SKIN = rf"[\U0001F3FB-\U0001F3FF] {_JOINED}"

# A quote belongs to the Hebrew letter before it, so a run of letters ends before such a letter.
_QUOTED = rf"{_HEBREW} (?: {_GERSHAYIM} {_HEBREW} | {_APOSTROPHE} (?!{_LETTER}) )"
_PLAIN = rf"(?! {_QUOTED} ) {_LETTER}"

_RUN = rf"""(?:
    {_KATAKANA} (?: (?:{_JOINER})* {_KATAKANA} )*
  | (?: {_QUOTED}
      | {_DIGIT} (?: (?: (?:{_JOINER})* | {_IN_NUMBER} ) {_DIGIT} )*
      | {_PLAIN} (?: (?:{_JOINER})* {_PLAIN} | {_IN_WORD} {_LETTER} )*
    )+
)"""

_WORD = rf"""
    [A-Za-z0-9]++ (?= [,.;:!?)'"-]? (?:[ \n]|$) )     # a run, as below, but found faster
  | [\p{{Script=Han}}--\p{{WB=ALetter}}] {_MARKS}
  | [\#*] (?= {_MARK}*? \u20E3 ) \uFE0F? {_JOINED}    # a keycap
  | (?:{_JOINER})* {_RUN} (?: (?:{_JOINER})+ {_RUN} )* (?:{_JOINER})*
  | \p{{Script=Hiragana}} {_MARKS}
  | (?: \p{{Line_Break=Complex_Context}} {_MARKS} )+
  | {_FLAG_HALF} {_FLAG_HALF}
  | (?: \u200D* {_PICTURE} | {_SKIN} ) (?: (?: (?<=\u200D) | \u200D ) {_PICTURE} )*
    """

_CHUNK = re.compile(r"[^ \t\r\n\u00A0\u3000]+")
"""Text between spaces, which no word contains. (U+202F is part of words: French writes 10 000.)"""


def normal(text: str) -> str:
    """Return the text in Unicode's composed form (NFC), so that é has only one spelling."""
    return unicodedata.normalize("NFC", text)


def words(text: str) -> list[str]:
    """Return the words of a text, in order and in lower case."""
    return [word for word in spaced(text).split(" ") if word]


def spaced(text: str) -> str:
    """Return the words of a text, in order and in lower case, with spaces between them."""
    return " ".join(map(_spaced_line, text.split("\n")))


def cut(line: str) -> list[str]:
    """Return the words of any line, in order and in lower case."""
    found: list[str] = []
    for chunk in _CHUNK.findall(line):
        found += _words_of(chunk)
    return found


def placed_words(text: str) -> Iterator[tuple[int, str]]:
    """Yield the same words, each with its position or that of the short chunk that contains it."""
    for match in _CHUNK.finditer(text):
        chunk = match[0]
        if len(chunk) <= _CACHED_LENGTH:
            for word in _words_of(chunk):
                yield match.start(), word
        else:
            for start, end in _places(chunk):
                yield match.start() + start, _lower(chunk[start:end])


def _spaced_line(line: str) -> str:
    plain = plain_lines.spaced(line)
    return " ".join(cut(line)) if plain is None else _lower(plain)


def _words_of(chunk: str) -> tuple[str, ...]:
    return _cached(chunk) if len(chunk) <= _CACHED_LENGTH else _words(chunk)


def _words(chunk: str) -> tuple[str, ...]:
    found = _word().findall(chunk)
    if any(len(word) > _SURE_LENGTH for word in found):
        return tuple(_lower(chunk[start:end]) for start, end in _places(chunk))
    return tuple(_lower("\n".join(found)).split("\n")) if found else ()


# Texts repeat few words often: the cache takes most of the time out of indexing.
_cached = lru_cache(maxsize=1 << 15)(_words)


@cache
def _word() -> Any:
    """The pattern of a word; compiled at its first use, as most programs and commands need none."""
    import regex  # type: ignore[import-untyped]  # noqa: PLC0415 - has no types

    return regex.compile(_WORD, regex.V1 | regex.VERBOSE)


def _places(chunk: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each word of a text."""
    for match in _word().finditer(chunk):
        start, end = match.span()
        if end - start <= _SURE_LENGTH:
            yield start, end
        else:
            yield from _pieces(chunk, start, end)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the start and end of the pieces of a long word, each itself a word."""
    while start < end:
        match = _word().match(text, start, _reach(text, start, end))
        if match:
            yield match.span()
        start = match.end() if match else start + 1


def _reach(text: str, start: int, end: int) -> int:
    """Return the position after at most `MAX_WORD_UNITS` from `start`."""
    units = 0
    for position in range(start, end):
        units += 2 if text[position] > "\uffff" else 1
        if units > MAX_WORD_UNITS:
            return position
    return end


def _lower(word: str) -> str:
    """Lowercase each character by itself, as Java does."""
    # `str.lower` makes two characters of İ, and looks at the neighbours of Σ.
    return word.replace("İ", "i").replace("Σ", "σ").lower()
