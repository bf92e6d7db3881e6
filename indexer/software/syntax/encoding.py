"""Encodings: the bytes of a text file → its text, whatever program has written it."""

import codecs

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    # The mark of UTF-32 starts with the mark of UTF-16, so it is looked for first.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

FALLBACK = "latin-1"
"""The encoding of files in no Unicode encoding: it gives each byte a meaning."""


def text_of(content: bytes) -> str:
    """Return the text of a file: by its byte order mark, as UTF-8, or else as Latin-1."""
    return content.decode(encoding_of(content), "replace").lstrip("\ufeff")


def encoding_of(content: bytes) -> str:
    """Return the encoding of a text file; `FALLBACK` if it is in no Unicode encoding."""
    for mark, name in _MARKS:
        if content.startswith(mark):
            return name
    # Metadata starts with a character of ASCII, whose other byte in UTF-16 is zero.
    if b"\0" in content[:2] and len(content) % 2 == 0:
        return "utf-16-le" if content[1] == 0 else "utf-16-be"
    try:
        content.decode()
    except UnicodeDecodeError:
        return FALLBACK
    return "utf-8"
