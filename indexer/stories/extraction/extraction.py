"""Extracts the values of `mcmetadata.extract` from a page, in a fraction of its time.

    decode → is it a feed? → parse → URL → is it a homepage? → date → text → title → language

`mcmetadata` parses a page for each of these steps, searches for the date twice, and for authors and
tags. Here its parts share one tree. A hostile page can make them run for hours, or crash, so
`answer` is called in a sandbox.
"""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

import msgspec
from lxml import etree

from indexer.errors import Discard, Disposition, Quarantine
from indexer.news.canonical_domains import canonical_domain
from indexer.news.homepages import HomepageRule, is_homepage, is_homepage_url, is_shortened_url
from indexer.news.normalized_urls import library_urls, normalize_url
from indexer.stories.extraction.agreement import LARGEST, agreement, is_sampled
from indexer.stories.extraction.article import article_text, normalized_title, story_title
from indexer.stories.extraction.date_search import htmldate
from indexer.stories.extraction.dates import bounded_date, latest
from indexer.stories.extraction.declarations import declarations
from indexer.stories.extraction.languages import story_language
from indexer.stories.extraction.markup import parse
from indexer.stories.extraction.pages import Extraction, FetchedPage, RefusedPage
from indexer.stories.queuers.input_kinds import is_feed
from indexer.stories.story import NEED_CANONICAL_URL, ContentMetadata
from indexer.text.decoding.ladder import decode

# The limit of all programs that check URLs (stories.md 13).
MAX_URL = 2048

# Ranks: `og:url` is the most reliable, as in `mcmetadata`.
_META = {"og:url": 0, "twitter:url": 2}
_LINK = 1

# Loaded at the start, not in the time of the first page, which is limited.
library_urls()

_decoder = msgspec.msgpack.Decoder(FetchedPage)
_encoder = msgspec.msgpack.Encoder()


def answer(request: bytes) -> bytes:
    """The encoded Extraction or RefusedPage for an encoded FetchedPage."""
    try:
        return _encoder.encode(extract(_decoder.decode(request)))
    except Disposition as end:
        refusal = RefusedPage(
            status=end.status, why=end.why, quarantine=isinstance(end, Quarantine)
        )
        return _encoder.encode(refusal)


def extract(page: FetchedPage) -> Extraction:
    """The values of a page. Raises Discard or Quarantine, with the statuses of stories.md 2.5."""
    steps = _Steps()
    text, encoding, rung, bom = decode(page.html, page.http_charset, page.known_charset)
    steps.done("encoding")
    # Before any parsing: a large sitemap has kept the extractors busy for an hour.
    if is_feed(text):
        raise Discard("feed", "a feed or sitemap, not a page")
    metadata, agreed = _metadata(text, page, steps)
    return Extraction(
        metadata=metadata,
        encoding=encoding,
        rung=rung,
        bom=bom,
        seconds=steps.seconds,
        agreement=agreed,
    )


class _Steps:
    """Measures the seconds of each step, from the end of the step before."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def done(self, step: str) -> None:
        now = time.perf_counter()
        self.seconds[step] = now - self._last
        self._last = now


def _metadata(text: str, page: FetchedPage, steps: _Steps) -> tuple[ContentMetadata, float | None]:
    """The values of a page, and how well its text agrees with trafilatura's, if it is compared."""
    tree = parse(text)
    url, canonical = _urls(tree, page.url)
    steps.done("url")
    if is_homepage(url, HomepageRule(page.homepage_rule)):
        raise Discard("homepage", f"a homepage: {url}")
    date = _date(tree, url, datetime.fromtimestamp(page.now, UTC))
    steps.done("pub_date")
    # htmldate may find the date in a comment; extractors expect a tree without comments.
    etree.strip_tags(tree, etree.Comment)
    found = article_text(tree, url, page.min_text)
    steps.done("content")
    declared = declarations(text)
    title = story_title(declared, tree)
    steps.done("title")
    language, full_language = story_language(declared, found.text)
    steps.done("language")
    agreed = None
    if len(page.html) <= LARGEST and is_sampled(url, page.compared):
        agreed = agreement(tree, url, found)
        steps.done("agreement")
    metadata = ContentMetadata(
        original_url=page.url,
        url=url,
        normalized_url=normalize_url(url),
        canonical_domain=canonical_domain(url),
        publication_date=date,
        language=language,
        full_language=full_language,
        text_extraction_method=found.method,
        article_title=title,
        normalized_article_title=normalized_title(title),
        text_content=found.text,
        canonical_url=canonical,
        is_homepage=is_homepage_url(url),
        is_shortened=is_shortened_url(url),
    )
    return metadata, agreed


def _urls(tree: Any, url: str) -> tuple[str, str]:
    """The story's URL, and the one that the page declares, or else its own, as in `mcmetadata`."""
    if url != NEED_CANONICAL_URL:
        return url, canonical_url(tree, url) or url
    canonical = canonical_url(tree, None)
    if canonical is None or canonical == NEED_CANONICAL_URL:
        raise Discard("no-canonical-url", "the page declares no canonical URL")
    return canonical, canonical


def _date(tree: Any, url: str, now: datetime) -> str | None:
    """The date on the page as YYYY-MM-DD; None if there is none within bounds."""
    try:
        # htmldate gets the tree, not the text: it would fetch a text that starts with http.
        found: str | None = htmldate.find_date(
            tree,
            url=url,
            original_date=True,
            extensive_search=False,
            max_date=latest(now).replace(tzinfo=None),
        )
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - of any kind; a story without a date is still a story
        return None
    return bounded_date(found, now)


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
    return joined if sound and len(joined) <= MAX_URL else None
