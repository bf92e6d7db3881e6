"""Homepages, which are no stories (stories.md 7.1), and links of URL shorteners."""

import re
from collections.abc import Callable
from enum import StrEnum
from functools import cache, lru_cache
from types import FunctionType
from typing import Any, NamedTuple

from indexer.http.urls.parts import split
from indexer.news.normalized_urls import library_urls, normalize_url

_INDEX = re.compile(
    r"""/*
        (?:[a-z]{2}(?:[-_][a-z]{2})?/*)?                    # a language, country or both
        (?:(?:index|default|home|homepage|main)(?:\.[a-z]{2,5})?/*)?
    """,
    re.VERBOSE | re.IGNORECASE,
)


class HomepageRule(StrEnum):
    """The rule by which a URL is a homepage.

    strict: the path is empty, or has only a language and an index page; there is no query.
    mcmetadata: the path has up to 18 letters of one case, so `/news/trump-wins` is a homepage too.
    off: no URL is a homepage.
    """

    STRICT = "strict"
    MCMETADATA = "mcmetadata"
    OFF = "off"


def is_homepage(url: str, rule: HomepageRule = HomepageRule.STRICT) -> bool:
    """Whether a story's URL is a homepage. Raises Discard("bad-url")."""
    match rule:
        case HomepageRule.OFF:
            return False
        case HomepageRule.MCMETADATA:
            return bool(is_homepage_url(url))
        case HomepageRule.STRICT:
            # Normalising removes tracking parameters, so a query that is left selects a page.
            parts = split(normalize_url(url))
            return bool(parts and not parts.query and is_front_page_path(parts.path))


def is_front_page_path(path: str) -> bool:
    """Whether a path is empty, or has only a language and an index page."""
    return bool(_INDEX.fullmatch(path))


class _ParsedURL(NamedTuple):
    """The parts of a URL that the questions of the library look at."""

    path: str
    host: str


# Such URLs mean what they say; furl takes a hundred times as long to find it.
_PLAIN = re.compile(r"https?://([\w.-]+)((?:/[\w.~-]+)*/?)(?:\?[\w.~=&-]*)?", re.ASCII)


@lru_cache(maxsize=16)
def _parsed(url: str) -> _ParsedURL:
    if plain := _PLAIN.fullmatch(url):
        return _ParsedURL(plain[2], plain[1])
    found = library_urls().furl(url)
    return _ParsedURL(str(found.path), found.host)


def is_homepage_url(url: str) -> bool | None:
    """Whether `mcmetadata` calls a URL a homepage (any short path); None for a broken URL."""
    return _maybe(_questions()["is_homepage_url"], url)


def is_shortened_url(url: str) -> bool | None:
    """Whether a URL looks like a link of a URL shortener; None for a broken URL."""
    return _maybe(_questions()["is_shortened_url"], url)


@cache
def _questions() -> dict[str, Any]:
    """The names of the library's module, with two of its functions that parse a URL once."""
    # The library parses a URL for each question, and writes its path for each of its patterns.
    names = {**vars(library_urls()), "furl": _parsed}
    for name in ("is_shortened_url", "is_homepage_url"):
        names[name] = FunctionType(names[name].__code__, names)
    return names


def _maybe(question: Callable[[str], bool], url: str) -> bool | None:
    try:
        return question(url)
    except (ValueError, AttributeError):
        return None
