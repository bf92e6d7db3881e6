"""The title of a story, and its text, from the first extractor that finds enough (stories.md 7.1).

    trafilatura → readability → boilerpipe3 → goose3 → newspaper3k → beautifulsoup4 → lxml

The first five find the story within the page. The last two return the whole page with its
navigation, so they run only if the first five found nothing at all.
The title is from `<meta>`, `<title>` or `<h1>`.
"""

import html
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import trafilatura
from trafilatura.metadata import extract_title

from indexer.errors import Discard
from indexer.news.mcmetadata import library
from indexer.text.cleaning import clean, one_line

WHOLE_PAGE = ("beautifulsoup4", "lxml")

MAX_TITLE = 1024


class Text(NamedTuple):
    """The text of a story, and the name of the extractor that found it."""

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
        # No extractor can find more text than there is: the others would take seconds in vain.
        if visible_length(tree) <= min_text:
            break
    if longest:
        raise Discard("too-short", f"{longest} characters")
    raise Discard("no-text", "no extractor finds any")


def visible_length(tree: Any) -> int:
    """The number of characters in the elements of a page: the longest text that can be found."""
    parts = tree.xpath("//text()[not(parent::script or parent::style)]")
    return sum(len(part.strip()) for part in parts)


def _texts(tree: Any, page: str, url: str) -> Iterator[Text]:
    document = trafilatura.bare_extraction(tree, url=url)
    yield Text("trafilatura", clean(getattr(document, "text", None) or "").strip())
    for method, extractor in _others().items():
        yield Text(method, _extracted(extractor, page, url))


@cache
def _others() -> dict[str, Any]:
    """The other extractors of mcmetadata; their import takes a second, so it waits for a need."""
    known: list[dict[str, Any]] = library("content").extractors
    return {each["method"]: each["instance"] for each in known[1:]}


def _extracted(extractor: Any, page: str, url: str) -> str:
    # The extractors of mcmetadata are objects that keep the content of the page before.
    extractor.content = None
    try:
        extractor.extract(url, page)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - six libraries, any error; the next one is tried
        return ""
    found = (extractor.content or {}).get("text") or ""
    # The extractor `lxml` returns bytes.
    if isinstance(found, bytes):
        found = html.unescape(library("text").strip_tags(found.decode("ascii", "replace")))
    return clean(found).strip()


def story_title(page: str, tree: Any) -> str | None:
    """The title without the site's name, on one line; None if the page has none."""
    titles = library("titles")
    # mcmetadata needs a fallback only where the page declares no title: it costs another search.
    declared = tree.find(".//title") is not None
    title: str | None = titles.from_html(page, None if declared else extract_title(tree))
    return one_line(title or "", MAX_TITLE) or None


def normalized_title(title: str | None) -> str | None:
    """The title for comparisons: in lower case, without punctuation around it."""
    if title is None:
        return None
    normalized: str = library("titles").normalize_title(title)
    return normalized or None
