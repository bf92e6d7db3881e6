"""Answers of the processes that extract, as the parser sees them."""

import time

import pytest

from indexer.errors import Discard, Quarantine, Retry, SandboxError
from indexer.stories.extraction.extractor import Extractor
from indexer.stories.extraction.pages import FetchedPage
from indexer.stories.story import NEED_CANONICAL_URL
from indexer.system.sandbox import SandboxLimits
from tests.stories.extraction.in_process import InProcess, in_process
from tests.stories.pages import article

__all__ = ["in_process"]


def page(html: bytes) -> FetchedPage:
    """A page of that content."""
    return FetchedPage(url="https://www.example.com/2024/a-story.html", html=html, now=time.time())


def test_a_story_comes_as_what_it_is() -> None:
    found = Extractor().extract(page(f"<article><p>{article()}</p></article>".encode()))
    assert found.metadata.text_extraction_method == "blocks"


def test_a_refusal_comes_as_what_it_is() -> None:
    with pytest.raises(Discard) as discard:
        Extractor().extract(page(b"<rss>"))
    assert (discard.value.status, discard.value.why) == ("feed", "a feed or sitemap, not a page")
    with pytest.raises(Quarantine) as quarantine:
        Extractor().extract(page(bytes(range(1, 32)) * 99))
    assert quarantine.value.status == "no-decode"


class Failing(InProcess):
    """A sandbox whose requests fail with the reasons; it keeps the CPU seconds of each."""

    def __init__(self, *reasons: str) -> None:
        self._reasons = iter(reasons)
        self.given: list[float | None] = []

    def run(self, request: bytes, seconds: float | None = None) -> bytes:
        """Fail. Raises SandboxError."""
        self.given.append(seconds)
        raise SandboxError(next(self._reasons), "why")


def test_a_site_whose_pages_exhaust_the_limit_gets_less_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sandbox = Failing("error", "killed", "timeout", "memory", "crash", "timeout")
    monkeypatch.setattr("indexer.stories.extraction.extractor.SandboxPool", lambda *_: sandbox)
    extractor = Extractor(SandboxLimits(seconds=32))
    ends = []
    for _ in range(6):
        with pytest.raises((Quarantine, Retry)) as end:
            extractor.extract(page(b""))
        ends.append(end.value.status)
    assert sandbox.given == [32.0, 32.0, 32.0, 16.0, 8.0, 4.0]
    assert ends[:3] == ["extract-error", "extract-killed", "extract-timeout"]


@pytest.mark.parametrize(("reason", "most"), [("killed", 1), ("start", None)])
def test_a_page_that_may_have_killed_its_process_is_tried_again_once(
    monkeypatch: pytest.MonkeyPatch, reason: str, most: int | None
) -> None:
    monkeypatch.setattr(
        "indexer.stories.extraction.extractor.SandboxPool", lambda *_: Failing(reason)
    )
    with pytest.raises(Retry) as end:
        Extractor().extract(page(b""))
    assert (end.value.status, end.value.most) == ("extract-killed", most)


def test_stories_that_have_no_url_yet_do_not_share_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = Failing("timeout", "timeout")
    monkeypatch.setattr("indexer.stories.extraction.extractor.SandboxPool", lambda *_: sandbox)
    extractor = Extractor(SandboxLimits(seconds=32))
    for _ in range(2):
        with pytest.raises(Quarantine):
            extractor.extract(FetchedPage(url=NEED_CANONICAL_URL, html=b"", now=time.time()))
    assert sandbox.given == [32.0, 32.0]
