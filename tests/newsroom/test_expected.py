"""newsroom/expected.py: what is expected is what the pages say."""

import re
from collections import Counter

import mcmetadata
import pytest
from mcmetadata.urls import normalize_url

from newsroom.expected import Document, expected
from newsroom.newspapers import newspapers
from newsroom.site import load_site

EXPECTED = expected()
REPLIES = load_site().replies
STATUSES = {"http-404", "http-4xx", "too-short", "not-text", "maxredir", "robots", "homepage"}
STATUSES |= {"bad-host", "oversized", "no-html"}


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_every_link_of_every_feed_is_accounted_for() -> None:
    links = [link for document in EXPECTED.documents for link in document.links]
    links += [link for link, _ in (*EXPECTED.discarded, *EXPECTED.skipped)]
    assert Counter(links) == Counter(newspapers().listed())


def test_queued_is_the_sum_of_what_becomes_of_it() -> None:
    assert EXPECTED.queued == len(newspapers().listed()) - len(EXPECTED.skipped)
    assert EXPECTED.duplicates >= 2


def test_every_reason_to_discard_occurs() -> None:
    assert set(EXPECTED.discarded_by_status) == STATUSES
    assert set(EXPECTED.skipped_by_status) == {"bad", "bad-host", "bad-scheme", "dups"}


@pytest.mark.parametrize("document", EXPECTED.documents, ids=lambda document: document.url)
def test_every_link_leads_to_its_document(document: Document) -> None:
    for link in document.links:
        url = link
        while (reply := REPLIES.get(url)) and reply.status in {301, 302, 307}:
            url = reply.headers["Location"]
        assert normalize_url(url) == normalize_url(document.url)


@pytest.mark.parametrize("document", EXPECTED.documents, ids=lambda document: document.url)
def test_the_extraction_library_finds_what_is_expected(document: Document) -> None:
    html = REPLIES[document.url].body.decode(document.encoding)
    found = mcmetadata.extract(document.url, html)
    day = found["publication_date"]
    assert found["article_title"] == document.title
    assert (str(day.date()) if day else None) == (
        document.publication_date if document.date_on_page else None
    )
    assert found["language"] == document.language
    assert document.canonical_url in {None, found["canonical_url"]}
    text = flat(found["text_content"])
    assert [each for each in document.contains if flat(each) not in text] == []
    assert [each for each in document.lacks if flat(each) in text] == []


def test_a_page_that_is_too_short_is_so_for_every_extractor() -> None:
    link = next(link for link, status in EXPECTED.discarded if status == "too-short")
    assert len(re.sub(r"<[^>]*>", "", REPLIES[link].body.decode())) < 200
