"""The messages of the feeds pipeline."""

from datetime import datetime, timedelta

import msgspec
import pytest

from indexer.errors import DecodeError
from indexer.feeds.attempt import (
    Attempt,
    DocumentPart,
    FeedAnswer,
    FeedDocument,
    Hop,
    NewItem,
    NewStory,
    Poll,
)
from indexer.stories.story import Story
from tests.each_row import each_row

NOW = datetime(2026, 11, 21, 12, 0, 0, 123456)


def poll() -> Poll:
    return Poll(
        feed_id=7,
        url="https://news.example/feed.xml",
        lease="host-1-ab",
        expires=NOW + timedelta(minutes=15),
        sources_id=3,
        keys=["source:3", "host:news.example"],
        etag='W/"abc"',
    )


def test_a_poll_is_unchanged_by_its_encoding() -> None:
    assert Poll.load(poll().dump()) == poll()


def test_what_a_newer_program_has_added_travels_on_to_the_saver() -> None:
    sent = {**msgspec.json.decode(poll().dump()), "weight": 3}
    attempt = Attempt(poll=Poll.load(msgspec.json.encode(sent)), started=NOW)
    attempt.answer = FeedAnswer(code=200)
    fetched = msgspec.json.decode(attempt.dump().partition(b"\n")[0])
    assert fetched["poll"] == sent
    fetched["answer"]["protocol"] = "h3"
    fetched["trace"] = {"id": 1}
    parsed = Attempt.load(msgspec.json.encode(fetched))
    parsed.document = FeedDocument(format="rss")
    saved = msgspec.json.decode(parsed.dump().partition(b"\n")[0])
    assert saved == {**fetched, "document": {"format": "rss"}}


def test_the_key_says_whether_there_is_something_to_parse() -> None:
    attempt = Attempt(poll=poll(), started=NOW)
    assert attempt.key == "no-document"
    attempt.pages = [DocumentPart("https://b.example/", 3)]
    assert attempt.key == "default"
    attempt.pages, attempt.document = [], FeedDocument(format="rss")
    assert attempt.key == "default"


def test_an_attempt_and_its_parts_are_unchanged_by_the_encoding() -> None:
    attempt = Attempt(
        poll=poll(),
        started=NOW,
        answer=FeedAnswer(
            code=200, url="https://b.example/", hops=[Hop(301, "https://b.example/")]
        ),
        pages=[
            DocumentPart("https://b.example/", 3),
            DocumentPart("https://b.example/2", 0),
            DocumentPart("c", 2, "utf-8"),
        ],
        parts=[b"abc", b"", b"\xff\n"],
        document=FeedDocument(
            format="rss",
            entries=2,
            items=[NewItem(url="https://b.example/1", identity="b.example/1", published_at=NOW)],
            skipped={"relurl": 1},
        ),
    )
    assert Attempt.load(attempt.dump()) == attempt


def test_moments_are_kept_to_the_microsecond_without_a_zone() -> None:
    loaded = Attempt.load(Attempt(poll=poll(), started=NOW).dump())
    assert (loaded.started, loaded.started.tzinfo) == (NOW, None)


def test_messages_have_an_origin() -> None:
    attempt = Attempt(poll=poll(), started=NOW)
    assert attempt.origin == poll().origin == {"feed_id": 7, "source_id": 3}
    assert attempt.label == "feed 7 https://news.example/feed.xml"


def test_the_stories_family_reads_a_new_story() -> None:
    sent = NewStory(
        rss_entry={"link": "https://news.example/1", "source_feed_id": 7, "source_source_id": 3}
    )
    story = Story.load(sent.dump())
    assert story.rss_entry.link == sent.label == "https://news.example/1"
    assert story.origin == sent.origin == {"feed_id": 7, "source_id": 3}


@each_row("data", [b"", b"{}", b"\x00", b'{"feed_id":"x"}'])
def test_an_invalid_message_is_a_decode_error(data: bytes) -> None:
    for kind in (Poll, Attempt, NewStory):
        with pytest.raises(DecodeError):
            kind.load(data)
