"""The language of a story."""

import re

from indexer.news.mcmetadata import library

SAMPLE = 2000
"""Characters of the text that are looked at: more don't change the answer, and take their time."""

_NO_LANGUAGE = "zxx"
"""What the detector calls text without any: numbers, code."""

_TWO_LETTERS = {
    "ary": "ar", "arz": "ar", "fuv": "ff", "grc": "el", "gug": "gn", "hbo": "he", "kik": "ki",
    "sdh": "ku", "uzs": "uz", "wuu": "zh", "yue": "zh",
}  # fmt: skip
"""Languages that the detector knows by three letters, by those of ISO 639-1: of the language that
they are a part or an older form of."""

_CODE = re.compile(r"[a-z]{2}(?![a-z])")


def story_language(page: str, text: str) -> tuple[str | None, str | None]:
    """The language in two lower-case letters (ISO 639-1), and as precisely as is known (`pt-BR`).

    What the page declares, and what its text seems to be; the text wins where they differ, because
    a declaration is often that of a template (`mcmetadata.languages`).
    """
    languages = library("languages")
    sample = text[:SAMPLE]
    # Where there are no words the detector names its first language.
    words = any(char.isalpha() for char in sample)
    full: str | None = languages.from_html(page, sample if words else None)
    if full == _NO_LANGUAGE:
        full = languages.from_html(page, None)
    full = (full or "").strip() or None
    return two_letters(full), full


def two_letters(full: str | None) -> str | None:
    """The code of ISO 639-1 for the name of a language, such as `pt-BR`; None if there is none."""
    name = (full or "").lower()
    if name in _TWO_LETTERS:
        return _TWO_LETTERS[name]
    return name[:2] if _CODE.match(name) else None
