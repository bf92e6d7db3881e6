"""The title of a story, found by `mcmetadata` in the page's `<meta>`, `<title>` and `<h1>`."""

from typing import Any

from trafilatura.metadata import extract_title

from indexer.news.mcmetadata import library
from indexer.text.cleaning import one_line

MAX_LENGTH = 1024


def story_title(page: str, tree: Any) -> str | None:
    """The title without the site's name, on one line; None if the page has none."""
    titles = library("titles")
    # mcmetadata needs a fallback only where the page declares no title: it costs another search.
    declared = tree.find(".//title") is not None
    title: str | None = titles.from_html(page, None if declared else extract_title(tree))
    return one_line(title or "", MAX_LENGTH) or None


def normalized_title(title: str | None) -> str | None:
    """The title for comparisons: in lower case, without punctuation around it."""
    if title is None:
        return None
    normalized: str = library("titles").normalize_title(title)
    return normalized or None
