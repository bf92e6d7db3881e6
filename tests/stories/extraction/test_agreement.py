"""Texts compared with those of trafilatura, for a sample of stories."""

import pytest
from lxml import html

from indexer.stories.extraction import agreement as module
from indexer.stories.extraction import article, extraction
from indexer.stories.extraction.agreement import agreement, is_sampled
from indexer.stories.extraction.article import BLOCKS, Text
from indexer.stories.extraction.extraction import extract
from indexer.stories.extraction.pages import Extraction, FetchedPage
from tests.stories.pages import article as story

URLS = [f"https://www.example.com/2026/{number}.html" for number in range(1000)]
NOW = 1795000000.0


def test_the_sample_is_a_share_of_the_stories_and_always_the_same() -> None:
    small, large = ([url for url in URLS if is_sampled(url, share)] for share in (0.01, 0.1))
    assert (len(small), len(large)) == (12, 117)
    assert set(small) < set(large)
    assert not any(is_sampled(url, 0) for url in URLS)
    assert all(is_sampled(url, 1) for url in URLS)


def test_urls_of_one_story_are_in_the_sample_together() -> None:
    with_parameter = [f"{url}?utm_source=feed#top" for url in URLS]
    assert [is_sampled(url, 0.1) for url in URLS] == [is_sampled(u, 0.1) for u in with_parameter]


def test_the_agreement_is_the_f1_of_both_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "second_opinion", lambda *_: "one two three four five")
    tree = html.document_fromstring("<p>x")
    assert agreement(tree, "", Text(BLOCKS, "one two three four five")) == 1
    assert agreement(tree, "", Text(BLOCKS, "one two three four")) == pytest.approx(2 / 3)
    assert agreement(tree, "", Text(BLOCKS, "six seven")) == 0


def test_texts_of_other_extractors_are_not_compared() -> None:
    assert agreement(html.document_fromstring("<p>x"), "", Text("trafilatura", "x")) is None


def extracted(compared: float, page: str = f"<p>{story()}</p>") -> Extraction:
    return extract(FetchedPage(url=URLS[0], html=page.encode(), now=NOW, compared=compared))


def test_an_extraction_of_the_sample_has_the_agreement_and_its_time() -> None:
    found = extracted(1)
    assert found.agreement == 1
    assert "agreement" in found.seconds
    assert found.metadata == extracted(0).metadata


def test_trafilatura_reads_no_story_outside_of_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extraction, "agreement", None)
    found = extracted(0)
    assert found.agreement is None
    assert "agreement" not in found.seconds


def test_large_pages_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extraction, "LARGEST", 1000)
    assert extracted(1, f"<p>{story()}</p>{' ' * 1000}").agreement is None


def test_a_failure_of_trafilatura_is_an_opinion_without_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError

    monkeypatch.setattr("trafilatura.bare_extraction", fail)
    assert article.second_opinion(html.document_fromstring("<p>x"), URLS[0]) == ""
    assert extracted(1).agreement == 0
