"""Extraction of pages that nobody can trust."""

import threading
import time
from collections.abc import Iterator

import pytest

from indexer.errors import Discard, Quarantine, Retry
from indexer.stories.extraction import extractor as module
from indexer.stories.extraction.extractor import Extractor
from indexer.stories.extraction.pages import FetchedPage
from indexer.system.sandbox import SandboxLimits
from tests.stories.pages import article


@pytest.fixture(scope="module")
def extractor() -> Iterator[Extractor]:
    extractor = Extractor()
    yield extractor
    extractor.close()


def page(html: str | bytes) -> FetchedPage:
    body = html if isinstance(html, bytes) else html.encode()
    return FetchedPage(url="https://www.example.com/2024/a-story.html", html=body, now=time.time())


def is_served(extractor: Extractor) -> bool:
    found = extractor.extract(page(f"<article><p>{article()}</p></article>"))
    return found.metadata.text_extraction_method == "blocks"


def status(extractor: Extractor, html: str | bytes) -> str:
    try:
        extractor.extract(page(html))
    except (Discard, Quarantine) as end:
        return end.status
    return "story"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param("<html><body>" + "<div>" * 1_000_000 + article(), "no-text", id="nested"),
        pytest.param("<table><tr><td>" * 300_000, "no-text", id="tables"),
        pytest.param("<b>" * 500_000 + article() + "</b>" * 500_000, "no-text", id="inline"),
        pytest.param("<meta property='og:title'" * 50_000, "no-text", id="no end"),
        pytest.param("<title>" * 3_000, "story", id="quadratic"),
        pytest.param(
            "<div " + " ".join(f"a{i}=x" for i in range(400_000)) + ">" + article(),
            "extract-attributes",
            id="attributes",
        ),
        pytest.param(article() + "<h1>" * 100_000, "story", id="headings"),
        pytest.param(article() + "<meta name='title' " * 50_000, "story", id="declarations"),
        pytest.param("<p>hello there</p>" * 10_000, "story", id="paragraphs"),
        pytest.param("<!--" * 200_000, "no-text", id="comments"),
        pytest.param("<p>" + "&" * 100_000, "story", id="ampersands"),
        pytest.param(b"\xff\xfe" + b"<\x00" * 100_000, "story", id="UTF-16"),
        pytest.param("\ud800".encode("utf-8", "surrogatepass") * 9_999, "story", id="surrogates"),
        pytest.param(
            "<script type='application/ld+json'>" + "[" * 100_000 + "</script>" + article(),
            "story",
            id="nested JSON",
        ),
    ],
)
def test_a_hostile_page_ends_in_seconds_and_harms_no_other(
    extractor: Extractor, html: str | bytes, expected: str
) -> None:
    assert status(extractor, html) == expected
    assert is_served(extractor)


@pytest.mark.parametrize(
    ("act", "status"),
    [
        (b"fail", "extract-error"),
        (b"sleep", "extract-timeout"),
        (b"grow", "extract-memory"),
        (b"segfault", "extract-crash"),
    ],
)
def test_each_way_to_fail_is_quarantined_at_once(
    monkeypatch: pytest.MonkeyPatch, act: bytes, status: str
) -> None:
    monkeypatch.setattr(module, "_FUNCTION", "tests.sandboxed_functions:act")
    monkeypatch.setattr(module, "_encoder", _Acts(act))
    extractor = Extractor(SandboxLimits(seconds=0.3 if act == b"sleep" else 30))
    with pytest.raises(Quarantine) as end:
        extractor.extract(page(""))
    assert end.value.status == status
    assert end.value.why
    extractor.close()


def test_an_extraction_that_is_killed_from_outside_is_tried_again_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_FUNCTION", "tests.sandboxed_functions:act")
    monkeypatch.setattr(module, "_encoder", _Acts(b"killed"))
    extractor = Extractor()
    with pytest.raises(Retry) as end:
        extractor.extract(page(""))
    assert (end.value.status, end.value.most) == ("extract-killed", 1)
    extractor.close()


class _Acts:
    """Encodes any page as the same act."""

    def __init__(self, act: bytes) -> None:
        self._act = act

    def encode(self, _: FetchedPage) -> bytes:
        return self._act


def test_a_refusal_comes_as_what_it_is(extractor: Extractor) -> None:
    with pytest.raises(Discard) as discard:
        extractor.extract(page("<rss>"))
    assert (discard.value.status, discard.value.why) == ("feed", "a feed or sitemap, not a page")
    with pytest.raises(Quarantine) as quarantine:
        extractor.extract(page(bytes(range(1, 32)) * 99))
    assert quarantine.value.status == "no-decode"


def test_threads_are_served_side_by_side(extractor: Extractor) -> None:
    served: list[bool] = []
    threads = [
        threading.Thread(target=lambda: served.append(is_served(extractor))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert served == [True] * 3
