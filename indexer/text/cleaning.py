"""Text from outside, made safe to store, send and print."""

import re
import unicodedata

_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_LINE_BREAKS = re.compile(r"[\x00-\x20\x7f\x85\u2028\u2029]+")


def clean(text: str) -> str:
    """Without NULs, control characters (but tab and line breaks) and lone surrogates.

    None of these may be in JSON, XML, SQL or a terminal; all of them occur on pages and in feeds.
    """
    return _UNWANTED.sub("", text)


def one_line(text: str, length: int = 500) -> str:
    """Clean, on one line, with single spaces, at most `length` characters: for logs and titles."""
    line = _LINE_BREAKS.sub(" ", clean(text)).strip()
    return "".join(
        char for char in line[:length] if unicodedata.category(char) != "Cf" or char in _JOINERS
    )


_JOINERS = "\u200c\u200d"
"""Zero-width (non-)joiners belong to the spelling of Persian, Hindi and others."""


def is_text(text: str) -> bool:
    """Whether it can be written down: names on disks, and JSON, may hold what Unicode can't."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
