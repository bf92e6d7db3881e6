"""Makes text of unknown origin safe to store, send and print."""

import re
import unicodedata

_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_LINE_BREAKS = re.compile(r"[\x00-\x20\x7f\x85\u2028\u2029]+")


def clean(text: str) -> str:
    """Remove NULs, control characters (except tab and line breaks) and lone surrogates.

    They occur on pages and in feeds, but JSON, XML and SQL forbid them, and terminals obey them.
    """
    # Nearly all texts are printable, which takes a tenth of the time to find out.
    return text if text.replace("\n", "").isprintable() else _UNWANTED.sub("", text)


def one_line(text: str, length: int = 500) -> str:
    """Clean a text for logs and titles: one line, single spaces, at most `length` characters."""
    line = _LINE_BREAKS.sub(" ", clean(text)).strip()[:length]
    # Format characters (Cf) are invisible, and some reorder the text around them.
    if line.isprintable():
        return line
    return "".join(char for char in line if unicodedata.category(char) != "Cf" or char in _JOINERS)


_JOINERS = "\u200c\u200d"
"""Zero-width (non-)joiners, which the spelling of Persian, Hindi and others needs."""


def is_text(text: str) -> bool:
    """Return whether a text can be encoded: file names and JSON may contain lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
