"""Which pages are homepages, not stories (stories.md 7.1)."""

import re
from enum import StrEnum
from urllib.parse import urlsplit

from indexer.news.ids import is_homepage_url
from indexer.news.normalized_urls import normalize_url

_INDEX = re.compile(
    r"""/*
        (?:[a-z]{2}(?:[-_][a-z]{2})?/*)?                    # a language, country or both
        (?:(?:index|default|home|homepage|main)(?:\.[a-z]{2,5})?/*)?
    """,
    re.VERBOSE | re.IGNORECASE,
)


class HomepageRule(StrEnum):
    """What is taken for a homepage.

    strict: an empty path, or one of nothing but a language and an index page, without a query.
    mcmetadata: any path of up to 18 letters of one case, so `/news/trump-wins` too.
    off: nothing.
    """

    STRICT = "strict"
    MCMETADATA = "mcmetadata"
    OFF = "off"


def is_homepage(url: str, rule: HomepageRule = HomepageRule.STRICT) -> bool:
    """Whether a story's URL is that of a homepage. Raises Discard("bad-url")."""
    match rule:
        case HomepageRule.OFF:
            return False
        case HomepageRule.MCMETADATA:
            return bool(is_homepage_url(url))
        case HomepageRule.STRICT:
            # Normalised: a query that only says where the reader came from is gone.
            parts = urlsplit(normalize_url(url))
            return not parts.query and is_front_page_path(parts.path)


def is_front_page_path(path: str) -> bool:
    """Whether a path is empty, or nothing but a language and an index page."""
    return bool(_INDEX.fullmatch(path))
