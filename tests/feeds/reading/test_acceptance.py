"""Tests of entries: order, counters and traps of feeds.md 8."""

from datetime import datetime, timedelta

from indexer.feeds.attempt import NewItem
from indexer.feeds.reading.acceptance import AcceptanceOptions, RefusedItem, accept, judge, newest
from indexer.feeds.reading.entry import FeedEntry
from tests.each_row import each_row

FEED = "https://news.example.com/feed"
NOW = datetime(2026, 11, 21, 12)


def options(**given: object) -> AcceptanceOptions:
    return AcceptanceOptions.model_validate(given)


def refusal(link: str, **given: object) -> str:
    """The counter of a link that is refused, "" for one that is not."""
    verdict = judge(FeedEntry(link=link, title="A title"), FEED, options(**given))
    if isinstance(verdict, NewItem):
        return ""
    assert verdict.why
    return verdict.counter


@each_row(
    "link",
    [
        *("", "  ", "#", "/story", "story.html", "?p=1", "www.example.com/story", "http://"),
        *("mailto:a@example.com", "javascript:alert(1)", "data:text/html,x", "tag:example.com,1"),
        *("http://[::1/story", "http://[zz]/story", "http:///story", "\\story", "https:"),
    ],
)
def test_a_link_without_a_host_is_relurl(link: str) -> None:
    assert refusal(link) == "relurl"


def test_a_link_that_is_too_long_is_toolong() -> None:
    link = "https://example.com/".ljust(2048, "a")
    assert refusal(link) == ""
    assert refusal(link + "a") == "toolong"
    assert refusal(link, max_url=100) == "toolong"
    assert refusal(link * 2, max_url=0) == ""


@each_row(
    ("link", "counter"),
    [
        ("https://example.com", "home"),
        ("https://example.com/", "home"),
        ("https://example.com/en/index.html#top", "home"),
        ("https://example.com/?lang=en", "home_query"),
        ("https://example.com?a=b", "home_query"),
        ("https://example.com/index.php?utm_source=rss", "home_query"),
        ("http://http://example.com/", "home"),
        ("https://example.com/?p=12", ""),
        ("https://example.com/#!/story/1", ""),
        ("https://example.com/news/trump-wins", ""),
    ],
)
def test_home_pages_are_left_out_if_that_is_wanted(link: str, counter: str) -> None:
    assert refusal(link, skip_home_pages=True) == counter
    assert refusal(link) == ""


@each_row(
    "link",
    [
        *("http://example.com:port/a", "http://example.com:99999/a", "http://exa mple.com/a"),
        *("http://a..example.com/a", "http://example.com/\ud800", "http://exam\u2100ple.com/"),
        *("itpc://example.com/a", "javascript://example.com/%0Aalert(1)"),
    ],
)
def test_a_link_that_cannot_be_read_is_bad(link: str) -> None:
    assert refusal(link) == "bad"


@each_row(
    ("link", "counter"),
    [
        ("https://en.m.wikipedia.org/wiki/A", "nonews"),
        ("https://www.youtube.com/watch?v=a", "nonews"),
        ("https://wbz.iheart.com/a", "nonews"),
        ("https://twitter-com.cdn.ampproject.org/v/s/twitter.com/a", "nonews"),
        ("https://notwikipedia.org/a", ""),
        ("https://wikipedia.org.example.com/a", ""),
        ("https://example.com/wikipedia.org", ""),
    ],
)
def test_sites_that_give_no_stories_are_nonews(link: str, counter: str) -> None:
    assert refusal(link) == counter


def test_operators_can_name_more_sites_also_parts_of_one() -> None:
    skip = ["shop.example.com", "other.example"]
    assert refusal("https://a.shop.example.com/b", skip_domains=skip) == "nonews"
    assert refusal("https://example.com/b", skip_domains=skip) == ""


@each_row("link", ["http://:80/a", "http://./a", "http://user@/a"])
def test_a_link_that_names_no_page_is_nonurl(link: str) -> None:
    assert refusal(link) == "nonurl"


@each_row(
    "entry",
    [
        FeedEntry(link="https://example.com/a", title="a\0b"),
        FeedEntry(link="https://example.com/a", title="a\ud800"),
        FeedEntry(link="https://example.com/a", guid="a\0b"),
        FeedEntry(link="https://example.com/a#\ud800"),
    ],
)
def test_what_cannot_be_stored_is_bad2(entry: FeedEntry) -> None:
    verdict = judge(entry, FEED, options())
    assert isinstance(verdict, RefusedItem)
    assert verdict.counter == "bad2"


@each_row(
    ("link", "counter"),
    [
        ("/" + "a" * 3000, "relurl"),
        ("https://youtube.com/?x=" + "a" * 3000, "toolong"),
        ("https://youtube.com/", "home"),
        ("https://youtube.com:port/a", "bad"),
    ],
)
def test_the_first_test_that_fails_counts(link: str, counter: str) -> None:
    assert refusal(link, skip_home_pages=True) == counter


@each_row(
    ("link", "url"),
    [
        ("//example.com/a", "https://example.com/a"),
        ("http://http://example.com/a", "http://example.com/a"),
        ("https:\\\\example.com\\a", "https://example.com/a"),
        ("https://example.com/a b", "https://example.com/a%20b"),
    ],
)
def test_links_are_repaired_before_they_are_tested(link: str, url: str) -> None:
    verdict = judge(FeedEntry(link=link), FEED, options())
    assert isinstance(verdict, NewItem)
    assert verdict.url == url


def test_an_item_says_all_that_is_stored() -> None:
    entry = FeedEntry(
        link="https://www.News.example.com/A?utm_source=rss#c",
        guid=" 17 ",
        title="<b>Storm</b> ahead!",
        published="yesterday",
        date_source="pubDate",
    )
    assert judge(entry, FEED, options()) == NewItem(
        url="https://www.News.example.com/A?utm_source=rss#c",
        identity="news.example.com/A",
        domain="example.com",
        guid=" 17 ",
        title="<b>Storm</b> ahead!",
        normalized_title="storm ahead",
        title_hash="96dd17d62ba37769ab7f7a4d0a26732f",
        published="yesterday",
        date_source="pubDate",
    )


def test_a_date_that_could_be_taken_is_not_kept_as_text() -> None:
    verdict = judge(
        FeedEntry(link="https://example.com/a", published="x", published_at=NOW), FEED, options()
    )
    assert isinstance(verdict, NewItem)
    assert (verdict.published, verdict.published_at) == (None, NOW)


def test_ftp_links_are_taken_without_a_domain() -> None:
    verdict = judge(FeedEntry(link="ftp://ftp.example.com/a.pdf"), FEED, options())
    assert isinstance(verdict, NewItem)
    assert (verdict.domain, verdict.identity) == ("", "ftp://ftp.example.com/a.pdf")


@each_row("title", [None, "", "...", "<br>"])
def test_an_item_without_a_real_title_is_an_item(title: str | None) -> None:
    verdict = judge(FeedEntry(link="https://example.com/a", title=title), FEED, options())
    assert isinstance(verdict, NewItem)
    assert verdict.title_hash == ""


def entries(*links: str) -> list[FeedEntry]:
    return [FeedEntry(link=link) for link in links]


def test_one_bad_item_costs_one_item() -> None:
    found = accept(
        entries("https://a.example/1", "", "http://a:b/", "x", "https://a.example/1"),
        FEED,
        options(),
    )
    assert [item.url for item in found.items] == ["https://a.example/1"] * 2
    assert found.skipped == {"relurl": 2, "bad": 1}


def dated(number: int, day: int | None) -> FeedEntry:
    date = NOW + timedelta(days=day) if day is not None else None
    return FeedEntry(link=f"https://a.example/{number}", published_at=date)


@each_row(
    ("days", "most", "kept"),
    [
        ([1, 2, 3], 0, [0, 1, 2]),
        ([1, 2, 3], 3, [0, 1, 2]),
        ([1, 2, 3], 2, [1, 2]),
        ([3, 1, 2], 2, [0, 2]),
        ([1, 1, 1], 2, [0, 1]),
        ([None, None, None], 2, [0, 1]),
        ([None, 1, 5], 2, [0, 2]),
        ([5, None, 1, None, 7], 3, [0, 1, 4]),
    ],
)
def test_beyond_the_bound_the_newest_are_kept_in_their_order(
    days: list[int | None], most: int, kept: list[int]
) -> None:
    document = [dated(number, day) for number, day in enumerate(days)]
    assert [document.index(entry) for entry in newest(document, most)] == kept
    found = accept(document, FEED, options(max_stories_per_feed=most))
    assert found.skipped == ({"tossed": len(days) - len(kept)} if len(kept) < len(days) else {})


def test_the_bounds_are_those_of_the_reference() -> None:
    assert options().max_stories_per_feed == 2000
    assert options().max_url == 2048
    assert not options().skip_home_pages
    found = accept(entries(*[f"https://a.example/{n}" for n in range(2001)]), FEED, options())
    assert len(found.items) == 2000
    assert found.skipped == {"tossed": 1}


def test_a_guid_that_does_not_tell_items_apart_means_nothing() -> None:
    found = accept(
        [
            FeedEntry(link="https://a.example/1", guid="same"),
            FeedEntry(link="https://a.example/2", guid="same "),
            FeedEntry(link="https://a.example/3", guid="own"),
            FeedEntry(link="http://www.a.example/3", guid="own"),
            FeedEntry(link="https://a.example/4", guid=FEED),
            FeedEntry(link="https://a.example/5"),
        ],
        FEED,
        options(),
    )
    assert [item.guid_means for item in found.items] == [False, False, True, True, False, True]
