"""The language of a story."""

import re

from indexer.news.mcmetadata import library

# More characters of the text don't change the detected language, and detection takes longer.
SAMPLE = 2000

# The detector's code for text without any language, such as numbers and program code.
_NO_LANGUAGE = "zxx"

# The detector's codes of three letters, and the codes in ISO 639-1 of the same language, or of the
# language that it is a part or an older form of.

_TWO_LETTERS = {
    "ary": "ar", "arz": "ar", "fuv": "ff", "grc": "el", "gug": "gn", "hbo": "he", "kik": "ki",
    "sdh": "ku", "uzs": "uz", "wuu": "zh", "yue": "zh",
}  # fmt: skip

_CODE = re.compile(r"[a-z]{2}(?![a-z])")


def story_language(page: str, text: str) -> tuple[str | None, str | None]:
    """The language in two lower-case letters (ISO 639-1), and its full name (`pt-BR`).

    If the declared language differs from the detected one, the detected one counts: declarations
    often come from a template (`mcmetadata.languages`).
    """
    languages = library("languages")
    sample = text[:SAMPLE]
    # For a text without words, the detector returns the first language of its list.
    words = any(char.isalpha() for char in sample)
    full: str | None = languages.from_html(page, sample if words else None)
    if full == _NO_LANGUAGE:
        full = languages.from_html(page, None)
    full = (full or "").strip() or None
    return two_letters(full), full


def two_letters(full: str | None) -> str | None:
    """The code in ISO 639-1 of a language such as `pt-BR`; None if it has none."""
    name = (full or "").lower()
    if name in _TWO_LETTERS:
        return _TWO_LETTERS[name]
    return name[:2] if _CODE.match(name) else None
