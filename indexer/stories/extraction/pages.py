"""A page on its way to the process that extracts its values, and the answers of that process."""

import msgspec

from indexer.stories.story import ContentMetadata

MIN_TEXT = 200
"""Texts of this many characters or fewer are not stories (stories.md 7.1)."""


class FetchedPage(msgspec.Struct, kw_only=True, tag="page"):
    """A fetched page, and the options of extraction.

    `http_charset` is the charset that HTTP declared, `known_charset` the one that an archive has
    for the page. `now`, in seconds since the epoch, is the upper bound of its date. `compared` is
    the share of the stories whose texts are compared with those of trafilatura.
    """

    url: str
    html: bytes
    http_charset: str | None = None
    known_charset: str | None = None
    min_text: int = MIN_TEXT
    homepage_rule: str = "strict"
    now: float
    compared: float = 0.0


class Extraction(msgspec.Struct, kw_only=True, tag="extraction"):
    """The values of a page, except `parsed_date`, and the way they were found.

    `rung` is the step of the decoding ladder that found `encoding`; `bom` is the number of bytes to
    cut from the page. `seconds` has the time of each step: encoding, url, pub_date, content, title,
    language, and agreement if `agreement` is there: how well the text, if it was compared, agrees
    with that of trafilatura, from 0 to 1.
    """

    metadata: ContentMetadata
    encoding: str
    rung: str
    bom: int
    seconds: dict[str, float] = {}
    agreement: float | None = None


class RefusedPage(msgspec.Struct, kw_only=True, tag="refusal"):
    """The reason why a page is not a story: for a Discard, or for a Quarantine."""

    status: str
    why: str
    quarantine: bool
