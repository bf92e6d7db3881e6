"""What dashboards see of the fetcher."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from indexer.errors import Requeue, Retry
from indexer.metrics import attached
from indexer.metrics.snapshot import Snapshot
from indexer.stories.story import RSSEntry, Story
from tests.clock import Clock
from tests.metrics.sinks import Heard
from workers.stories.tqfetcher import Fetcher, FetcherOptions


@pytest.fixture
def fetcher(tmp_path: Path, clock: Clock) -> Iterator[Fetcher]:
    """One that may go to loopback, and asks for no robots.txt."""
    options = FetcherOptions(
        data=tmp_path,
        allow_address=["127.0.0.0/8"],
        contact_url="https://example.org/bot",
        min_interval_seconds=5.0,
        threads=4,
        prefetch=8,
        robots=False,
    )
    made = Fetcher(options, clock, clock.time)
    yield made
    made.close()


def story(link: str) -> Story:
    return Story(rss_entry=RSSEntry(link=link))


def gauges(snapshot: Snapshot) -> dict[str, float]:
    """The gauges, by name or status."""
    rows = snapshot.rows()
    return {row["labels"].get("status", row["name"]): row["value"] for row in rows}


def test_stories_in_hand_are_shown_from_arrival_to_end(
    httpserver: HTTPServer, fetcher: Fetcher
) -> None:
    httpserver.expect_request("/").respond_with_data("<html>x</html>", content_type="text/html")
    link = httpserver.url_for("/")
    snapshot = Snapshot()
    with attached(snapshot):
        fetcher.hold(story(link))
        fetcher.hold(story(link))
        seen = gauges(snapshot)
        assert (seen["ready"], seen["delayed"], seen["active"]) == (1, 1, 0)
        assert (seen["prefetch"], seen["slots.recent"]) == (8, 1)
        fetcher.process(story(link))
    seen = gauges(snapshot)
    assert (seen["ready"], seen["delayed"], seen["active"]) == (0, 1, 0)


def test_a_story_that_comes_too_early_is_not_in_hand(fetcher: Fetcher) -> None:
    snapshot = Snapshot()
    with attached(snapshot):
        for _ in range(2):
            fetcher.hold(story("http://127.0.0.1:1/"))
        with pytest.raises(Requeue):
            fetcher.hold(story("http://127.0.0.1:1/"))
    assert gauges(snapshot)["delayed"] == 1


def test_each_fetch_is_timed_however_it_ends(fetcher: Fetcher) -> None:
    heard = Heard()
    with attached(heard):
        fetcher.hold(story("http://127.0.0.1:1/"))
        with pytest.raises(Retry):
            fetcher.process(story("http://127.0.0.1:1/"))
    timed = [name for name, _, _ in heard.numbers if name in ("get_delay", "fetch")]
    assert timed == ["get_delay", "fetch"]
