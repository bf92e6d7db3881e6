"""What goes to the process that extracts, and what comes back."""

import msgspec

from indexer.stories.story import ContentMetadata

MIN_TEXT = 200
"""A text of so many characters or fewer is no story (stories.md 7.1)."""


class FetchedPage(msgspec.Struct, kw_only=True, tag="page"):
    """A page as it was fetched, and how to take it.

    `http_charset` is what HTTP declared, `known_charset` what was found before, for a page from an
    archive. `now` bounds its date: seconds since the epoch.
    """

    url: str
    html: bytes
    http_charset: str | None = None
    known_charset: str | None = None
    min_text: int = MIN_TEXT
    homepage_rule: str = "strict"
    now: float


class Extraction(msgspec.Struct, kw_only=True, tag="extraction"):
    """What a page says: all but `parsed_date`, and how it was read.

    `encoding` is the one found, on the `rung` of the ladder; `bom` how many bytes to cut. `seconds`
    is how long the steps took: encoding, url, pub_date, content, title and language.
    """

    metadata: ContentMetadata
    encoding: str
    rung: str
    bom: int
    seconds: dict[str, float] = {}


class RefusedPage(msgspec.Struct, kw_only=True, tag="refusal"):
    """Why a page is no story: a Discard, or a Quarantine where a person should look."""

    status: str
    why: str
    quarantine: bool
