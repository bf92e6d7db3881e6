"""Reads lists of URLs, one per line. Lines that are not URLs are reported, not ignored."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from indexer.errors import Discard
from indexer.news.normalized_urls import unique_url_hash
from indexer.text.cleaning import clean, one_line
from indexer.text.decoding.texts import lines, text_pieces
from indexer.text.unpacking import head_of, input_errors, unpacked

MAX_URL = 8192
"""The longest URL, in characters."""

MAX_LIST_BYTES = 1 << 30
SHOWN = 200
"""The characters that are shown of a line that is not a URL."""

SCHEMES = ("http", "https")


class ListedURL(NamedTuple):
    """One URL of a list with its document id; or a line that is not a URL, with the reason."""

    url: str
    id: str = ""
    why: str = ""


def read_urls(path: Path) -> Iterator[ListedURL]:
    """The URLs of a file, one per line, as a stream. Blank lines and lines with # are comments.

    The file is UTF-8, or UTF-16 with a byte order mark; it may be compressed. Raises InputError.
    """
    with input_errors(str(path)):
        opened = unpacked(str(path), path.open("rb"), MAX_LIST_BYTES)
    with opened as file:
        pieces = text_pieces(head_of(file), file, detect=False)
        for number, line in enumerate(lines(pieces, MAX_URL), start=1):
            if line is None:
                yield ListedURL("", why=f"line {number} is longer than {MAX_URL} characters")
            elif (text := line.strip()) and not text.startswith("#"):
                url = listed(text)
                yield url._replace(why=f"line {number}: {url.why}") if url.why else url


def listed(text: str) -> ListedURL:
    """A URL and its document id, or its fault. Accepts every URL that a document may have."""
    why = _fault(text)
    if not why:
        try:
            return ListedURL(text, unique_url_hash(text))
        except Discard as error:
            why = error.why
    return ListedURL(one_line(text, SHOWN), why=one_line(why, SHOWN))


def _fault(text: str) -> str:
    """The reason why a text is not a URL, or "". Stricter than normalisation, which accepts all."""
    if "\ufffd" in text or clean(text) != text:
        return "not UTF-8, or with control characters"
    if any(char.isspace() for char in text):
        return "with white space: a space in a URL is %20"
    try:
        parts = urlsplit(text)
    except ValueError as error:
        return str(error)
    if parts.scheme not in SCHEMES or not parts.hostname:
        return "it doesn't start with http:// or https:// and a host"
    return ""
