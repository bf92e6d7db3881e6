"""The language of a story: that which the page declares, and that of the text.

    declaration, and text → pycld2 (0.1 ms) → py3langid (2 ms), where it is in doubt → language

The rules are those of `mcmetadata.languages`, which always asks py3langid.
"""

import re
from contextlib import suppress

try:
    import pycld2
except ImportError:  # pragma: no cover - a machine for which there is no package
    pycld2 = None

# More characters of the text don't change the detected language, and detection takes longer.
SAMPLE = 2000

# py3langid's code for text without any language, such as numbers and program code.
_NO_LANGUAGE = "zxx"

# Codes of three letters, and the codes in ISO 639-1 of the same language, or of the language that
# it is a part or an older form of.
_TWO_LETTERS = {
    "ary": "ar", "arz": "ar", "fuv": "ff", "grc": "el", "gug": "gn", "hbo": "he", "kik": "ki",
    "sdh": "ku", "uzs": "uz", "wuu": "zh", "yue": "zh",
}  # fmt: skip

LEAST_PERCENT = 80
"""The least part of the text that pycld2 must find to be of one language."""

_CANTONESE_OR_WU = re.compile(r"[佢哋咗嘅喺唔嚟冇侬搿]")
"""Frequent characters of the languages that pycld2 takes for Chinese, and py3langid does not."""

_OLDER_CODES = {"iw": "he", "jw": "jv"}
"""Codes of pycld2 that ISO 639-1 has replaced."""

_CODE = re.compile(r"[a-z]{2}(?![a-z])")

_UNKNOWN = ("un", "xx")
"""Codes of pycld2 for no language, and for a script."""

_DECLARED = tuple(
    re.compile(pattern, re.DOTALL | re.IGNORECASE)
    for pattern in (
        r'<meta[^>]* (?:name|property)=.dc\.language.[^>]* content="([^"]+)"',
        r'<meta[^>]* (?:http-equiv)=.Content-Language.[^>]* content="([^"]+)"',
        r'<html[^>]* (?:xml:lang|lang)="([^"]+)"',
    )
)


def story_language(declared: str, text: str) -> tuple[str | None, str | None]:
    """The language in two lower-case letters (ISO 639-1), and its full name (`pt-BR`).

    `declared` are the declarations of the page. If its language differs from the detected one, the
    detected one counts: declarations often come from a template (`mcmetadata.languages`).
    """
    found = (pattern.search(declared) for pattern in _DECLARED)
    name = next((match[1] for match in found if match), None)
    guess = detected(text[:SAMPLE])
    full = name if guess is None or (name and name.startswith(guess)) else guess
    full = (full or "").strip() or None
    return two_letters(full), full


def detected(text: str) -> str | None:
    """The language of a text, in two or three letters; None if it has none."""
    # For a text without words, the detectors return some language.
    if not any(map(str.isalpha, text)):
        return None
    return _certain(text) or _likely(text)


def _certain(text: str) -> str | None:
    """The language of most of the text by pycld2; None if it is not certain."""
    if pycld2 is None:
        return None
    # It refuses control characters and the like.
    with suppress(pycld2.error, UnicodeEncodeError):
        is_reliable, _, found = pycld2.detect(text)
        # Simplified and traditional Chinese are two of its languages.
        code: str = found[0][1].partition("-")[0]
        percent = sum(each[2] for each in found if each[1].partition("-")[0] == code)
        is_certain = is_reliable and percent >= LEAST_PERCENT
        if is_certain and len(code) == 2 and code not in _UNKNOWN and not _is_variant(code, text):
            return _OLDER_CODES.get(code, code)
    return None


def _is_variant(code: str, text: str) -> bool:
    return code == "zh" and bool(_CANTONESE_OR_WU.search(text))


def _likely(text: str) -> str | None:
    # The import takes half a second and 60 MB, so it waits for a need.
    import py3langid  # noqa: PLC0415

    code: str = py3langid.classify(text)[0]
    return None if code == _NO_LANGUAGE else code


def two_letters(full: str | None) -> str | None:
    """The code in ISO 639-1 of a language such as `pt-BR`; None if it has none."""
    name = (full or "").lower()
    if name in _TWO_LETTERS:
        return _TWO_LETTERS[name]
    return name[:2] if _CODE.match(name) else None
