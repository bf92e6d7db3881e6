"""Lists of URLs that somebody wrote: one a line, and what is none is told, not overlooked."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from indexer.errors import Discard
from indexer.news.ids import unique_url_hash
from indexer.text.cleaning import clean, one_line
from indexer.text.decoding.texts import lines, text_pieces
from indexer.text.unpacking import head_of, input_errors, unpacked

MAX_URL = 8192
"""The longest URL, in characters."""

MAX_LIST_BYTES = 1 << 30
SHOWN = 200
"""How many characters of what is no URL are shown."""

SCHEMES = ("http", "https")


class ListedURL(NamedTuple):
    """One URL of a list, and its document id. What is no URL has no id, but a `why`."""

    url: str
    id: str = ""
    why: str = ""


def read_urls(path: Path) -> Iterator[ListedURL]:
    """The URLs of a file, one a line, as a stream; blank lines and those with # don't count.

    In UTF-8, or UTF-16 that says so; it may be compressed. Raises InputError.
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
    """A URL and its document id, or what is wrong with it. Any that a document may have will do."""
    why = _fault(text)
    if not why:
        try:
            return ListedURL(text, unique_url_hash(text))
        except Discard as error:
            why = error.why
    return ListedURL(one_line(text, SHOWN), why=one_line(why, SHOWN))


def _fault(text: str) -> str:
    """Why a text can't be a URL, whatever the normalisation would make of it; or blank."""
    if "\ufffd" in text or clean(text) != text:
        return "not text in UTF-8, or with control characters"
    if any(char.isspace() for char in text):
        return "white space in it: a space in a URL is %20"
    try:
        parts = urlsplit(text)
    except ValueError as error:
        return str(error)
    if parts.scheme not in SCHEMES or not parts.hostname:
        return "it doesn't start with http:// or https:// and a host"
    return ""
