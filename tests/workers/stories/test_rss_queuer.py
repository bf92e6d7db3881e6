"""From feeds to stories: days, links, duplicates, and a whole run."""

import gzip
import io
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from indexer.broker import open_broker
from indexer.errors import ConfigurationError, InputError
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.worker import Skipped
from indexer.stories.story import Story
from tests.each_row import each_row
from tests.paths import DATA
from workers.stories.rss_queuer import RSSQueuer, RSSQueuerOptions, main, wanted_days

FEEDS = DATA / "feeds"
NOON = datetime(2024, 3, 2, 12, 0, tzinfo=UTC)
EARLY = datetime(2024, 3, 2, 0, 59, tzinfo=UTC)


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., RSSQueuer]]:
    """Makes a queuer that reads some inputs."""
    made: list[RSSQueuer] = []

    def queuer(*inputs: str, **given: Any) -> RSSQueuer:
        options = RSSQueuerOptions.chosen(
            dict(inputs=list(inputs), data=tmp_path / "data", allow_private=True, **given)
        )
        made.append(RSSQueuer(options, lambda: NOON))
        return made[-1]

    yield queuer
    for each in made:
        each.close()


def links(queuer: RSSQueuer) -> list[str | None]:
    """The links of the stories that are queued."""
    return [item.rss_entry.link for item in queuer.produce() if isinstance(item, Story)]


def days(now: datetime = NOON, **given: Any) -> list[str]:
    """The days that are wanted."""
    return [day.isoformat() for day in wanted_days(RSSQueuerOptions(**given), now)]


@each_row(
    ("given", "now", "expected"),
    [
        ({"yesterday": True}, NOON, ["2024-03-01"]),
        ({"yesterday": True}, EARLY, []),
        ({"days": 2}, NOON, ["2024-03-01", "2024-02-29"]),
        ({"days": 2}, EARLY, ["2024-02-29", "2024-02-28"]),
        ({"days": 1, "yesterday": True}, NOON, ["2024-03-01"]),
        ({"fetch_date": ["2022-02-18", "2024-03-01"]}, NOON, ["2024-03-01", "2022-02-18"]),
        ({"fetch_date": ["2024-03-01"], "days": 2}, NOON, ["2024-03-01", "2024-02-29"]),
        ({}, NOON, []),
    ],
)
def test_which_days_are_wanted(given: dict[str, Any], now: datetime, expected: list[str]) -> None:
    assert days(now, **given) == expected


def test_there_are_no_days_before_the_first() -> None:
    assert days(days=100_000)[-1] == "2022-02-18"


@each_row("text", ["2022-02-17", "2024-03-02", "yesterday", "2024-13-01", ""])
def test_a_day_that_has_no_file_is_an_error(text: str) -> None:
    with pytest.raises(ConfigurationError, match="--fetch-date"):
        days(fetch_date=[text])


def test_days_come_from_the_daily_url(
    make: Callable[..., RSSQueuer], httpserver: HTTPServer
) -> None:
    body = gzip.compress((FEEDS / "synthetic.rss").read_bytes())
    httpserver.expect_request("/mc-2024-03-01.rss.gz").respond_with_data(body)
    queuer = make(days=1, daily_url=httpserver.url_for("/mc-{date}.rss.gz"))
    assert links(queuer) == ["https://a.example/1?x=1&y=2", "https://b.example/2"]


def test_before_the_file_of_yesterday_is_there_a_run_does_nothing(tmp_path: Path) -> None:
    queuer = RSSQueuer(
        RSSQueuerOptions.chosen({"yesterday": True, "data": tmp_path}), lambda: EARLY
    )
    assert list(queuer.produce()) == []
    queuer.close()


def test_without_anything_to_read_it_says_so(make: Callable[..., RSSQueuer]) -> None:
    with pytest.raises(ConfigurationError, match="nothing to read"):
        links(make())


def statuses(queuer: RSSQueuer, *links: str) -> list[str]:
    """What becomes of the links of a feed, in its order."""
    items = "".join(f"<item><link>{link}</link></item>" for link in links)
    file = io.BytesIO(f"<rss><channel>{items}<item/></channel></rss>".encode())
    found = queuer.process_file("https://a.example/feed", file)
    return [item.status if isinstance(item, Skipped) else "queued" for item in found]


def test_links_are_checked_and_duplicates_of_a_file_told(make: Callable[..., RSSQueuer]) -> None:
    links = {
        "https://a.example/1": "queued",
        "https://a.example/1 ": "dups",
        "https://www.youtube.com/watch?v=1": "non-news",
        "mailto:x@y.example": "bad-scheme",
        "http:///path": "no-host",
        "https://b.example/1": "non-news",
    }
    queuer = make("x", skip_domains=["b.example"])
    assert statuses(queuer, *links) == [*links.values(), "bad"]
    assert statuses(queuer, "https://a.example/1") == ["queued", "bad"]


def test_private_addresses_are_no_stories(tmp_path: Path) -> None:
    queuer = RSSQueuer(RSSQueuerOptions.chosen({"data": tmp_path}))
    links = ("http://127.0.0.1/", "http://[::1]/", "http://10.0.0.1/", "http://169.254.169.254/")
    assert statuses(queuer, *links) == ["bad-host"] * 4 + ["bad"]
    queuer.close()


def test_an_index_of_sitemaps_leads_to_their_stories(
    make: Callable[..., RSSQueuer], httpserver: HTTPServer
) -> None:
    maps = "".join(
        f"<sitemap><loc>{httpserver.url_for(path)}</loc></sitemap>"
        for path in ("/news.xml", "/old.xml.gz", "/missing.xml")
    )
    index = f"<sitemapindex>{maps}</sitemapindex>"
    httpserver.expect_request("/index.xml").respond_with_data(index)
    httpserver.expect_request("/news.xml").respond_with_data(
        (FEEDS / "news-sitemap.xml").read_bytes()
    )
    old = b"<urlset><url><loc>https://map.example/old</loc></url></urlset>"
    httpserver.expect_request("/old.xml.gz").respond_with_data(gzip.compress(old))
    found: list[str | None] = []
    queuer = make(httpserver.url_for("/index.xml"))
    with pytest.raises(InputError, match=r"inputs failed: .*/missing\.xml"):
        found.extend(_noted(queuer, found))
    assert found == [
        "https://map.example/2024/01/31/market?a=1&b=2",
        "https://map.example/about",
        "https://map.example/old",
    ]


def _noted(queuer: RSSQueuer, found: list[str | None]) -> list[str | None]:
    """Note the links of a queuer as they come; it may fail at its end."""
    for item in queuer.produce():
        if isinstance(item, Story):
            found.append(item.rss_entry.link)
    return []


TOPOLOGY = Pipeline("test", [Step("rss-queuer", to=["fetcher"]), Step("fetcher")]).compile()


def ready(data: Path) -> int:
    """How many stories are queued."""
    broker = open_broker(f"sqlite:///{data / 'queues.sqlite3'}")
    depth = broker.depth("fetcher-in")
    broker.close()
    assert depth is not None
    return depth.ready


def test_a_whole_run_queues_everything_once_and_tells_what_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    broker.declare(TOPOLOGY)
    broker.close()
    given = (f"--data={tmp_path}", "--min-disk-free=0")
    atom, rdf = str(FEEDS / "atom.xml"), str(FEEDS / "rdf.xml")
    assert main([*given, atom, rdf, "--dry-run"]) == 0
    assert ready(tmp_path) == 0
    for _ in range(2):
        assert main([*given, atom, rdf]) == 0
        assert ready(tmp_path) == 5
    assert main([*given, str(FEEDS / "page.html"), str(FEEDS / "rss-0.91.xml")]) == 1
    assert "page.html: an HTML page, not a feed" in capsys.readouterr().err
    assert ready(tmp_path) == 6


def test_help_tells_the_statuses_and_no_secrets(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    assert "dups" in shown
    assert "RSS_DAILY_URL" in shown
