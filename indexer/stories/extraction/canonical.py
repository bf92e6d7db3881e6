"""The URL that a page declares to be its own."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

# The limit of all programs that check URLs (stories.md 13).
MAX_LENGTH = 2048

# Ranks: `og:url` is the most reliable, as in `mcmetadata`.
_META = {"og:url": 0, "twitter:url": 2}
_LINK = 1


def canonical_url(tree: Any, url: str | None) -> str | None:
    """The absolute canonical URL that a page declares; None if no declaration is valid.

    The first valid http or https URL of `og:url`, `<link rel=canonical>` and `twitter:url`, the
    order of `mcmetadata`. Relative URLs are resolved against the page's `<base>`, or else `url`.
    """
    base = _base(tree, url)
    found = sorted(_declared(tree), key=lambda pair: pair[0])
    absolute = (_absolute(base, value) for _, value in found)
    return next((value for value in absolute if value), None)


def _declared(tree: Any) -> Iterator[tuple[int, str]]:
    for element in tree.iter("meta", "link"):
        if element.tag == "meta":
            name = (element.get("property") or element.get("name") or "").strip().lower()
            rank, value = _META.get(name), element.get("content")
        else:
            kinds = (element.get("rel") or "").lower().split()
            rank, value = (_LINK if "canonical" in kinds else None), element.get("href")
        if rank is not None and value and value.strip():
            yield rank, value.strip()


def _base(tree: Any, url: str | None) -> str:
    for element in tree.iter("base"):
        if href := element.get("href"):
            return _absolute(url or "", href) or url or ""
    return url or ""


def _absolute(base: str, value: str) -> str | None:
    try:
        joined = urljoin(base, value)
        parts = urlsplit(joined)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return None
    return joined if sound and len(joined) <= MAX_LENGTH else None
