"""From numbers to stories with pages: from a directory, and from buckets with two epochs."""

import gzip
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from indexer.broker import open_broker
from indexer.errors import ConfigurationError, Discard, Disposition, StorageError
from indexer.messages.message import Send
from indexer.messages.pipelines import Pipeline, Step
from indexer.stories.story import (
    NEED_CANONICAL_URL,
    ContentMetadata,
    HTTPMetadata,
    RawHTML,
    RSSEntry,
    Story,
)
from tests.each_row import each_row
from workers.stories.hist_fetcher import HistFetcher, HistFetcherOptions, main

PAGE = "<p>Seite für Seite</p>".encode("latin-1")
URL = "https://a.example/1"


def utc(text: str) -> datetime:
    """A moment of UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


IN_B, IN_D = utc("2021-10-01 12:00:00"), utc("2022-01-10 12:00:00")


def story(number: object, collected: datetime | None = None) -> Story:
    """A story as the hist-queuer makes it."""
    stamp = collected.timestamp() if collected else None
    return Story(
        rss_entry=RSSEntry(link=str(number), source_feed_id=7),
        http_metadata=HTTPMetadata(final_url=URL, fetch_timestamp=stamp),
        content_metadata=ContentMetadata(language="en"),
    )


def ending(fetcher: HistFetcher, number: int, collected: str | None) -> str:
    """The page of a story, or its status."""
    try:
        found = fetcher.process(story(number, utc(collected) if collected else None))
    except Disposition as disposition:
        return disposition.status
    return (found.raw_html.html or b"").decode()


def fetcher_of(folder: Path) -> HistFetcher:
    """One that reads a directory."""
    return HistFetcher(HistFetcherOptions(downloads_url=str(folder)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A directory with a page: that of number 12, stored on the day IN_B."""
    folder = tmp_path / "downloads"
    folder.mkdir()
    (folder / "12").write_bytes(gzip.compress(PAGE))
    os.utime(folder / "12", (IN_B.timestamp(), IN_B.timestamp()))
    return folder


def test_a_story_gets_its_page_and_keeps_all_that_is_known(folder: Path) -> None:
    before = story(12, IN_D)
    assert fetcher_of(folder).process(story(12, IN_D)) == Story(
        rss_entry=before.rss_entry,
        http_metadata=HTTPMetadata(
            response_code=200, fetch_timestamp=IN_D.timestamp(), final_url=URL
        ),
        content_metadata=before.content_metadata,
        raw_html=RawHTML(html=PAGE),
    )


@pytest.mark.parametrize("stamp", [None, float("nan"), 1e300])
def test_without_a_date_it_has_that_of_the_object(folder: Path, stamp: float | None) -> None:
    blind = Story(
        rss_entry=RSSEntry(link="12"),
        http_metadata=HTTPMetadata(final_url=NEED_CANONICAL_URL, fetch_timestamp=stamp),
    )
    found = fetcher_of(folder).process(blind)
    assert found.http_metadata.fetch_timestamp == IN_B.timestamp()
    assert found.http_metadata.final_url == NEED_CANONICAL_URL


@each_row("link", [None, "", "twelve", "-12", "../12", URL, "9" * 19])
def test_a_link_that_is_no_number_is_dropped(folder: Path, link: str | None) -> None:
    with pytest.raises(Discard, match="bad-dlid"):
        fetcher_of(folder).process(Story(rss_entry=RSSEntry(link=link)))


def test_pages_have_a_limit(folder: Path) -> None:
    options = HistFetcherOptions(downloads_url=folder.as_uri(), max_html_bytes=len(PAGE) - 1)
    with pytest.raises(Discard, match="oversized"):
        HistFetcher(options).process(story(12))


def test_many_threads_may_share_it(folder: Path) -> None:
    for number in range(100, 140):
        (folder / str(number)).write_bytes(gzip.compress(str(number).encode()))
    fetcher = fetcher_of(folder)
    assert fetcher.threads > 1
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: ending(fetcher, number, None), range(100, 140)))
    assert found == [str(number) for number in range(100, 140)]


@pytest.mark.parametrize("url", ["missing", "empty", "ftp://host/downloads", ""])
def test_a_store_that_can_not_be_read_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigurationError):
        HistFetcher(HistFetcherOptions(downloads_url=url))


def test_a_store_that_is_away_ends_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.blobstore.s3.ATTEMPTS", 1)
    set_credentials(monkeypatch, "HIST", "http://127.0.0.1:1", "key", "secret")
    with pytest.raises(StorageError, match=r"127\.0\.0\.1:1"):
        HistFetcher(HistFetcherOptions())


def set_credentials(
    monkeypatch: pytest.MonkeyPatch, store: str, endpoint: str, key: str, secret: str
) -> None:
    """Set the variables of a store's credentials."""
    items = {"ENDPOINT": endpoint, "ACCESS_KEY_ID": key, "SECRET_ACCESS_KEY": secret}
    for item, value in items.items():
        monkeypatch.setenv(f"{store}_S3_{item}", value)


STEPS = [
    Step("hist-queuer", to=["hist-fetcher"]),
    Step("hist-fetcher", to=["parser"]),
    Step("parser"),
]
TOPOLOGY = Pipeline("history", STEPS).compile()
QUEUES = ("hist-fetcher-in", "hist-fetcher-quar", "parser-in")


def run(root: Path, url: str, *stories: Story) -> tuple[int, dict[str, list[str]]]:
    """Run the program until its queue is empty; its exit status, and what is in which queue."""
    broker_url = f"sqlite:///{root / 'queues.sqlite3'}"
    broker = open_broker(broker_url)
    broker.declare(TOPOLOGY)
    broker.publish([Send("", "hist-fetcher-in", each.dump()) for each in stories])
    options = [f"--data={root}", f"--broker-url={broker_url}", f"--downloads-url={url}"]
    status = main(["--until-empty", *options])
    found: dict[str, list[str]] = {}
    for queue in QUEUES:
        consumer = broker.consume(queue, 100)
        while (delivery := consumer.receive(0)) is not None:
            found.setdefault(queue, []).append(Story.load(delivery.body).label)
        consumer.close()
    broker.close()
    return status, found


def test_the_program_sends_on_what_has_a_page(folder: Path, tmp_path: Path) -> None:
    (folder / "13").write_bytes(b"\x1f\x8bbroken")
    status, found = run(tmp_path, str(folder), *(story(number) for number in (12, 13, 14)))
    assert status == 0
    assert found == {"parser-in": ["12"], "hist-fetcher-quar": ["13"]}


def test_a_program_that_can_read_nothing_takes_nothing(tmp_path: Path) -> None:
    status, found = run(tmp_path, str(tmp_path / "missing"), story(12))
    assert status == 2
    assert found == {"hist-fetcher-in": ["12"]}
