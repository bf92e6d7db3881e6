"""The title of a story, and its text, from the first extractor that finds enough (stories.md 7.1).

    blocks → trafilatura → readability → boilerpipe3 → goose3 → newspaper3k → beautifulsoup4 → lxml

The first one is the project's own. If it doubts its text, trafilatura reads the page, too, and the
longer text counts. The first six find the story within the page. The last two return the whole page
with its navigation, so they run only if the first six found nothing at all.
The title is from `<meta>`, `<title>` or `<h1>`.
"""

import html
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from indexer.errors import Discard
from indexer.news.mcmetadata import library
from indexer.stories.extraction.blocks.layout import collapse, plain_tables, tidy, with_lines
from indexer.stories.extraction.blocks.story import read
from indexer.stories.extraction.link_lists import is_link_list, is_prose
from indexer.text.cleaning import clean, one_line

BLOCKS = "blocks"
TRAFILATURA = "trafilatura"
WHOLE_PAGE = ("beautifulsoup4", "lxml")

MAX_TITLE = 1024


class Text(NamedTuple):
    """The text of a story, and the name of the extractor that found it.

    `is_prose`: it is known to be no list of links.
    """

    method: str
    text: str
    is_prose: bool = False


def article_text(tree: Any, url: str, min_text: int) -> Text:
    """The first text of more than `min_text` characters that is no list of links.

    May collapse the white space of `tree`, and changes nothing else in it.
    Raises Discard("link-list") if there are only lists, Discard("too-short") if all texts are
    shorter, Discard("no-text") if there is none.
    """
    longest = 0
    for found in _texts(tree, url, min_text):
        if longest and found.method in WHOLE_PAGE:
            break
        if len(found.text) > min_text and (
            found.is_prose or not is_link_list(found.text, tree, min_text)
        ):
            return found
        longest = max(longest, len(found.text))
        # No extractor can find more text than there is: the others would take seconds in vain.
        if visible_length(tree) <= min_text:
            break
    if longest > min_text:
        raise Discard("link-list", f"{longest} characters, nearly all of them links")
    if longest:
        raise Discard("too-short", f"{longest} characters")
    raise Discard("no-text", "no extractor finds any")


def visible_length(tree: Any) -> int:
    """The number of characters in the elements of a page: the longest text that can be found."""
    parts = tree.xpath("//text()[not(parent::script or parent::style)]")
    return sum(len(part.strip()) for part in parts)


def _texts(tree: Any, url: str, min_text: int) -> Iterator[Text]:
    reading = read(tree)
    own = Text(BLOCKS, tidy(clean(reading.text)), is_prose(reading.kept, min_text))
    if not reading.doubts:
        yield own
    collapse(tree)
    second = Text(TRAFILATURA, second_opinion(tree, url))
    if reading.doubts:
        yield from sorted((own, second), key=lambda found: len(found.text), reverse=True)
    else:
        yield second
    page = with_lines(tree)
    for method, extractor in _others().items():
        yield Text(method, tidy(clean(_extracted(extractor, page, url))))


def second_opinion(tree: Any, url: str) -> str:
    """The text that trafilatura finds, without comments, in a tree whose white space is collapsed.

    Its own second opinions take most of its time, and are left out. "" if it fails.
    """
    # The import takes a second, so it waits for a need.
    import trafilatura  # noqa: PLC0415

    try:
        document = trafilatura.bare_extraction(tree, url=url, fast=True, include_comments=False)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - of any kind; the other extractors are tried
        return ""
    return plain_tables(tidy(clean(getattr(document, "text", None) or "")))


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
    return str(found)


def story_title(declared: str, tree: Any) -> str | None:
    """The title without the site's name, on one line; None if the page has none.

    `declared` are the declarations of the page.
    """
    titles = library("titles")
    # mcmetadata needs a fallback only where the page declares no title: it costs another search.
    fallback = None
    if tree.find(".//title") is None:
        from trafilatura.metadata import extract_title  # noqa: PLC0415 - see above

        fallback = extract_title(tree)
    title: str | None = titles.from_html(declared, fallback)
    return one_line(title or "", MAX_TITLE) or None


def normalized_title(title: str | None) -> str | None:
    """The title for comparisons: in lower case, without punctuation around it."""
    if title is None:
        return None
    normalized: str = library("titles").normalize_title(title)
    return normalized or None
