"""Folds accents, so that `Uber` finds `Über`: in indexed texts and in queries alike.

The index has the folded texts, so both backends find the same without an analyzer of their own.
"""

import re
import unicodedata
from hashlib import blake2b

# Only marks of Latin, Greek and Cyrillic: in Indic scripts a mark is a vowel.
_ACCENTS = re.compile("[\u0300-\u036f]")

# Letters whose stroke or ligature Unicode does not decompose.
_LETTERS = str.maketrans(
    {
        **dict(zip("øØłŁđĐħĦŧŦıð", "oOlLdDhHtTid", strict=True)),
        **{"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "TH"},
    }
)


def folded(text: str) -> str:
    """Return the text without accents, in Unicode's composed form."""
    if text.isascii():
        return text
    plain = _ACCENTS.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", plain).translate(_LETTERS)


def label(field: str, value: str) -> str:
    """Return the word that stands for a value of a field, whatever its case and accents.

    A filter by a word is part of the full-text search, so it takes the index no longer than the
    search for any word.
    """
    text = f"{field}\n{folded(value).casefold()}"
    return f"x{blake2b(text.encode(), digest_size=8).hexdigest()}"
