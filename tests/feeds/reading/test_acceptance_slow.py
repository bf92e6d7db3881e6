"""Every entry becomes an item or is counted."""

from hypothesis import given
from hypothesis import strategies as st

from indexer.feeds.reading.acceptance import accept
from indexer.feeds.reading.entry import FeedEntry
from tests.feeds.properties import patient
from tests.feeds.reading.test_acceptance import FEED, options

_LINKS = st.text() | st.tuples(st.text(max_size=8), st.text(max_size=8)).map(
    lambda parts: f"https://{parts[0]}.example/{parts[1]}"
)


_ENTRIES = st.builds(
    FeedEntry, link=_LINKS, guid=st.none() | st.text(), title=st.none() | st.text()
)


@patient
@given(st.lists(_ENTRIES, max_size=8), st.booleans())
def test_every_entry_is_an_item_or_counted(document: list[FeedEntry], skip: bool) -> None:
    found = accept(document, FEED, options(skip_home_pages=skip, max_stories_per_feed=5))
    assert len(found.items) + sum(found.skipped.values()) == len(document)
    for item in found.items:
        assert f"{item.url}{item.guid}{item.title}".encode()
