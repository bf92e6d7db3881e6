"""The text of a story, by the first extractor that finds one (stories.md 7.1).

    trafilatura → readability → boilerpipe3 → goose3 → newspaper3k → beautifulsoup4 → lxml

The first five find the story on a page. The last two take the whole page, navigation and all, so
they are asked only where none of the others found anything.
"""

import html
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import trafilatura

from indexer.errors import Discard
from indexer.news.mcmetadata import library
from indexer.text.cleaning import clean

WHOLE_PAGE = ("beautifulsoup4", "lxml")


class Text(NamedTuple):
    """A story's text, and the name of the extractor that found it."""

    method: str
    text: str


def article_text(tree: Any, page: str, url: str, min_text: int) -> Text:
    """The first text of more than `min_text` characters. Does not change `tree`.

    Raises Discard("too-short") if all are shorter, Discard("no-text") if there is none.
    """
    longest = 0
    for found in _texts(tree, page, url):
        if longest and found.method in WHOLE_PAGE:
            break
        if len(found.text) > min_text:
            return found
        longest = max(longest, len(found.text))
        if visible_length(tree) <= min_text:
            break
    if longest:
        raise Discard("too-short", f"{longest} characters")
    raise Discard("no-text", "no extractor finds any")


def visible_length(tree: Any) -> int:
    """At most so many characters can be found in the elements of a page."""
    parts = tree.xpath("//text()[not(parent::script or parent::style)]")
    return sum(len(part.strip()) for part in parts)


def _texts(tree: Any, page: str, url: str) -> Iterator[Text]:
    document = trafilatura.bare_extraction(tree, url=url)
    yield Text("trafilatura", clean(getattr(document, "text", None) or "").strip())
    for method, extractor in _others().items():
        yield Text(method, _ask(extractor, page, url))


@cache
def _others() -> dict[str, Any]:
    """The other extractors of mcmetadata, imported when the first page needs them."""
    known: list[dict[str, Any]] = library("content").extractors
    return {each["method"]: each["instance"] for each in known[1:]}


def _ask(extractor: Any, page: str, url: str) -> str:
    extractor.content = None
    try:
        extractor.extract(url, page)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - six libraries, any error; the next one has its turn
        return ""
    found = (extractor.content or {}).get("text") or ""
    if isinstance(found, bytes):
        found = html.unescape(library("text").strip_tags(found.decode("ascii", "replace")))
    return clean(found).strip()
