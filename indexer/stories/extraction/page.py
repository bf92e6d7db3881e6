"""Messages between the parser and the processes that extract."""

import msgspec

from indexer.stories.story import ContentMetadata

MIN_TEXT = 200
"""Texts of this many characters or fewer are not stories (stories.md 7.1)."""


class FetchedPage(msgspec.Struct, kw_only=True, tag="page"):
    """A fetched page, and the options of extraction.

    `http_charset` is the charset that HTTP declared, `known_charset` the one that an archive has
    for the page. `now`, in seconds since the epoch, is the upper bound of its date.
    """

    url: str
    html: bytes
    http_charset: str | None = None
    known_charset: str | None = None
    min_text: int = MIN_TEXT
    homepage_rule: str = "strict"
    now: float


class Extraction(msgspec.Struct, kw_only=True, tag="extraction"):
    """The values of a page, except `parsed_date`, and the way they were found.

    `rung` is the step of the decoding ladder that found `encoding`; `bom` is the number of bytes to
    cut from the page. `seconds` has the time of each step: encoding, url, pub_date, content, title
    and language.
    """

    metadata: ContentMetadata
    encoding: str
    rung: str
    bom: int
    seconds: dict[str, float] = {}


class RefusedPage(msgspec.Struct, kw_only=True, tag="refusal"):
    """The reason why a page is not a story: for a Discard, or for a Quarantine."""

    status: str
    why: str
    quarantine: bool
