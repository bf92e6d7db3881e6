"""The page for operators of the existing system says what the programs do."""

import re

from indexer.feeds.fetching.fetching import FeedFetchOptions
from tests.paths import ROOT
from workers.feeds.feed_fetcher import FeedFetcherOptions
from workers.stories.tqfetcher import FetcherOptions

PAGE = (ROOT / "docs/operations/existing-system.md").read_text(encoding="utf-8")
STORIES, FEEDS = PAGE.split("## Fetching feeds")

BLOCK = dict(re.findall(r"^    ([A-Z_]+)=(.*)$", STORIES, re.MULTILINE))


def test_each_variable_of_a_table_is_one_of_the_fetcher() -> None:
    for options, text in ((FetcherOptions, STORIES), (FeedFetcherOptions, FEEDS)):
        known = {name for each in options.definitions().values() for name in each.env}
        assert set(re.findall(r"`([A-Z]+_[A-Z_]+)`", text)) <= known


def test_each_variable_that_brings_the_existing_behaviour_back_changes_a_default() -> None:
    usual, existing = FetcherOptions(), FetcherOptions.of(BLOCK)
    fields = [name for name, each in FetcherOptions.definitions().items() if {*each.env} & {*BLOCK}]
    assert len(fields) == len(BLOCK)
    for name in fields:
        assert getattr(usual, name) != getattr(existing, name)


def test_the_defaults_are_those_of_the_page() -> None:
    usual = FetcherOptions()
    assert f"`{usual.user_agent}`" in STORIES
    assert f"and {usual.total_timeout:g} s in all" in STORIES
    assert f"kept for {usual.keep_seconds:g} s" in STORIES
    assert f"{usual.throttle_interval_seconds:g} s, `FETCHER_THROTTLE" in STORIES
    assert f"{usual.max_html_bytes:,} decoded" in STORIES
    assert f"{FeedFetchOptions().max_html_bytes:,}" in FEEDS
    assert usual.robots
    assert usual.crawl_delay
    assert not usual.insecure
    assert not usual.allow_private
