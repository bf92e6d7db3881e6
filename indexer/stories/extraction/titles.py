"""The title of a story: that of `mcmetadata`, from the page's `<meta>`, `<title>` and `<h1>`."""

from typing import Any

from trafilatura.metadata import extract_title

from indexer.news.mcmetadata import library
from indexer.text.cleaning import one_line

MAX_LENGTH = 1024


def story_title(page: str, tree: Any) -> str | None:
    """The title without the site's name, on one line; None if there is none but white space."""
    titles = library("titles")
    # What else on the page may be a title is only asked for where nothing says it is one.
    declared = tree.find(".//title") is not None
    title: str | None = titles.from_html(page, None if declared else extract_title(tree))
    return one_line(title or "", MAX_LENGTH) or None


def normalized_title(title: str | None) -> str | None:
    """The title in the form by which stories are compared: lower case, no punctuation around it."""
    if title is None:
        return None
    normalized: str = library("titles").normalize_title(title)
    return normalized or None
