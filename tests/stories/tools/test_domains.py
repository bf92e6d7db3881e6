"""The filter of stories by domain."""

import pytest

from indexer.stories.story import ContentMetadata, HTTPMetadata, RSSEntry, Story
from indexer.stories.tools.domains import DomainFilter

URL = "https://News.Site.Example:8080/1"

CASES = [
    ((), (), True),
    (["site.example"], (), True),
    (["news.site.example"], (), True),
    (["EXAMPLE."], (), True),
    (["www.news.site.example"], (), False),
    (["ite.example"], (), False),
    (["other.example", "site.example"], (), True),
    ((), ["site.example"], False),
    ((), ["other.example"], True),
    (["example"], ["news.site.example"], False),
]


@pytest.mark.parametrize(("include", "exclude", "wanted"), CASES)
@pytest.mark.parametrize("where", ["link", "final_url", "url"])
def test_a_domain_stands_for_the_hosts_below_it(
    where: str, include: list[str], exclude: list[str], wanted: bool
) -> None:
    story = {
        "link": Story(rss_entry=RSSEntry(link=URL)),
        "final_url": Story(http_metadata=HTTPMetadata(final_url=URL)),
        "url": Story(content_metadata=ContentMetadata(url=URL)),
    }[where]
    assert DomainFilter(include, exclude).match(story) is wanted


@pytest.mark.parametrize("url", [None, "", "3211617605", "http://[", "no url"])
def test_a_story_without_a_host_is_of_no_domain(url: str | None) -> None:
    story = Story(rss_entry=RSSEntry(link=url))
    assert DomainFilter(exclude=["example"]).match(story)
    assert not DomainFilter(include=["example"]).match(story)
