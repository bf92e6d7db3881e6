"""newsroom/expected.py: what is expected is what the pages say."""

import re
from collections import Counter

from indexer.news.mcmetadata import library
from newsroom.expected import Document, expected
from newsroom.newspapers import newspapers
from newsroom.site import load_site
from tests.each_row import each_row

EXPECTED = expected()
REPLIES = load_site().replies
normalize_url = library("urls").normalize_url
STATUSES = {"http-404", "http-4xx", "too-short", "not-text", "maxredir", "robots", "homepage"}
STATUSES |= {"bad-host", "oversized", "no-html"}


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


@each_row("document", EXPECTED.documents)
def test_every_link_leads_to_its_document(document: Document) -> None:
    for link in document.links:
        url = link
        while (reply := REPLIES.get(url)) and reply.status in {301, 302, 307}:
            url = reply.headers["Location"]
        assert normalize_url(url) == normalize_url(document.url)


def test_a_page_that_is_too_short_is_so_for_every_extractor() -> None:
    link = next(link for link, status in EXPECTED.discarded if status == "too-short")
    assert len(re.sub(r"<[^>]*>", "", REPLIES[link].body.decode())) < 200
