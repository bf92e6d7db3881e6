"""Messages as archive entries, and back."""

import io
from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from indexer.errors import Quarantine
from indexer.messages.message import KEY_HEADER, Delivery, Headers, Send
from indexer.stories.archiving.story_archive_reader import ArchivedStory, read_stories
from indexer.stories.archiving.story_archive_verifier import verify
from indexer.stories.archiving.story_archive_writer import ArchiveEntry, StoryArchiveWriter
from indexer.stories.story import ContentMetadata, HTTPMetadata, RawHTML, RSSEntry, Story
from indexer.stories.tools.queue_archives import DomainFilter, entry_of, send_of
from tests.each_row import each_row
from tests.stories.archived import NAME, NOON, a_story, archive


def dumped(delivery: Delivery) -> ArchivedStory:
    """A message, written to a sound archive and read again."""
    file = io.BytesIO()
    writer = StoryArchiveWriter(file, NAME, clock=lambda: NOON)
    writer.write(entry_of("parser-in", delivery))
    assert verify(io.BytesIO(file.getvalue())).sound
    [found] = read_stories(io.BytesIO(file.getvalue()))
    assert isinstance(found, ArchivedStory)
    return found


def queued(delivery: Delivery, *, exchange: bool = False, reset: bool = False) -> Send:
    """The message that a dumped one becomes again."""
    return send_of(dumped(delivery), "parser-in", exchange=exchange, reset=reset)


STORIES = {
    "no page": Story(rss_entry=RSSEntry(link="https://site.example/1")),
    "an empty page": Story(raw_html=RawHTML(html=b"")),
    "nothing at all": Story(),
    "another encoding": Story(
        http_metadata=HTTPMetadata(encoding="latin-1"),
        raw_html=RawHTML(html=b"x", encoding="utf-8"),
    ),
    "an HTTP header for a page": Story(raw_html=RawHTML(html=b"HTTP/1.0 200 OK\r\n\r\n")),
    "whole": a_story(),
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_what_an_archive_would_lose_is_kept(story: Story) -> None:
    body = story.dump()
    assert queued(Delivery(1, body, "parser-in")).body == body


def test_the_three_objects_of_the_metadata_are_as_in_every_archive() -> None:
    story = a_story()
    metadata = dumped(Delivery(1, story.dump())).metadata
    extra = {"rabbitmq_headers", "queue_data"}
    assert {name: value for name, value in metadata.items() if name not in extra} == (
        story.metadata()
    )
    assert metadata["queue_data"] == {
        "exchange": "",
        "routing_key": "parser-in",
        "key": "default",
        "page": True,
        "encoding": "utf-8",
    }


def test_all_headers_are_shown_whatever_they_are() -> None:
    others: Mapping[str, object] = {
        "x-death": [{"time": datetime(2024, 5, 1, tzinfo=UTC), "count": 1}],
        "bytes": b"\xff",
        "number": float("nan"),
        "table": {"deep": [float("inf"), None, True]},
    }
    delivery = Delivery(1, a_story().dump(), headers={"x-mc-retries": 2}, others=others)
    assert dumped(delivery).metadata["rabbitmq_headers"] == {
        "x-death": [{"time": "2024-05-01T00:00:00+00:00", "count": 1}],
        "bytes": "b'\\xff'",
        "number": "nan",
        "table": {"deep": ["inf", None, True]},
        "x-mc-retries": 2,
    }
    assert queued(delivery).headers == {"x-mc-retries": 2}


@each_row("body", [b"", b"{}", b"\xff" * 100, b'{"v":99}\n'])
def test_what_is_no_story_is_refused(body: bytes) -> None:
    with pytest.raises(Quarantine):
        entry_of("parser-in", Delivery(1, body))


KEYS = [
    # the key, its header → the header when it is queued again, the key to an exchange
    ("default", None, None, "default"),
    ("parser-in", None, None, "default"),
    ("parser-in", "default", "default", "default"),
    ("parser-in", "a.key", "a.key", "a.key"),
    ("a.key", None, "a.key", "a.key"),
]


@each_row(("key", "header", "restored", "routed"), KEYS)
def test_the_first_key_is_kept(
    key: str, header: str | None, restored: str | None, routed: str
) -> None:
    headers = {KEY_HEADER: header} if header else {}
    delivery = Delivery(1, a_story().dump(), key, headers)
    to_queue = queued(delivery)
    assert (to_queue.exchange, to_queue.key) == ("", "parser-in")
    assert to_queue.headers.get(KEY_HEADER) == restored
    to_exchange = queued(delivery, exchange=True)
    assert (to_exchange.exchange, to_exchange.key) == ("parser-in", routed)


def test_reset_forgets_what_happened_but_not_the_key() -> None:
    headers: Headers = {KEY_HEADER: "a.key", "x-mc-retries": 5, "x-mc-what": "KeyError", "other": 1}
    send = queued(Delivery(1, a_story().dump(), "parser-in", headers), reset=True)
    assert send.headers == {KEY_HEADER: "a.key"}


def test_an_archive_that_is_no_dump_is_queued_as_its_reader_has_it() -> None:
    story = a_story()
    story.content_metadata.parsed_date = None
    [found] = read_stories(io.BytesIO(archive([story])))
    assert isinstance(found, ArchivedStory)
    send = send_of(found, "parser-in", exchange=False, reset=False)
    assert Story.load(send.body).content_metadata.parsed_date == "2024-04-30T18:00:00"
    assert send.headers == {}


HOSTILE = [
    {"rabbitmq_headers": 7, "queue_data": []},
    {"rabbitmq_headers": {"x-mc-what": ["a"], "CC": ["elsewhere"], "x-mc-when": None}},
    {"queue_data": {"page": True, "encoding": "\ud800", "key": "\ud800", "routing_key": 3}},
    {"rabbitmq_headers": {"x-mc-\ud800": 1, "x-mc-": 2, "x-mc-" + "a" * 300: 3}},
    {"queue_data": {"page": "yes", "encoding": 7, "key": 1.5}},
]


@pytest.mark.parametrize("extra", HOSTILE, ids=range(len(HOSTILE)))
def test_nonsense_in_an_archive_is_left_out(extra: Mapping[str, object]) -> None:
    file = io.BytesIO()
    StoryArchiveWriter(file, NAME).write(ArchiveEntry.of(a_story(), extra))
    [found] = read_stories(io.BytesIO(file.getvalue()))
    assert isinstance(found, ArchivedStory)
    send = send_of(found, "parser-in", exchange=False, reset=False)
    assert send.headers == {}
    assert Story.load(send.body).rss_entry == a_story().rss_entry


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


@each_row("url", [None, "", "3211617605", "http://[", "no url"])
def test_a_story_without_a_host_is_of_no_domain(url: str | None) -> None:
    story = Story(rss_entry=RSSEntry(link=url))
    assert DomainFilter(exclude=["example"]).match(story)
    assert not DomainFilter(include=["example"]).match(story)
