"""The saver as a program: batches, endings, outages, numbers."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta

import pytest
from pydantic import SecretStr
from sqlalchemy import update

from indexer.database import Database
from indexer.errors import Discard, StorageError
from indexer.feeds.attempt import Attempt, NewStory
from indexer.feeds.models import feeds
from indexer.feeds.polling.claiming import ClaimOptions, Claims
from indexer.feeds.saving.saving import SaveOptions
from indexer.messages.worker import Done
from indexer.metrics import attached
from indexer.metrics.snapshot import Snapshot
from indexer.stories.story import Story
from indexer.system.patience import Patience
from tests.feeds.rows import add_feeds, all_stories, feed, fetched, item, later
from workers.feeds.story_saver import SaverOptions, StorySaver


@pytest.fixture
def saver(feeds_db: Database, database_url: str) -> Iterator[StorySaver]:
    patience = Patience(lambda _: None, attempts=3)
    opened = StorySaver(
        SaverOptions(database_url=SecretStr(database_url)), lambda: later(2), patience
    )
    with closing(opened):
        yield opened


@pytest.fixture
def attempts(feeds_db: Database) -> list[Attempt]:
    """Two claimed feeds, fetched."""
    add_feeds(feeds_db, [{"sources_id": 7}, {"sources_id": 8}])
    polls = Claims(feeds_db, ClaimOptions(), "test").claim(later(0), 10)
    polls.sort(key=lambda poll: poll.feed_id)
    return [fetched(poll, [item(poll.feed_id)]) for poll in polls]


def test_a_batch_ends_with_one_result_each_and_hands_on_what_is_new(
    saver: StorySaver, attempts: list[Attempt]
) -> None:
    for attempt in attempts:
        saver.add(attempt)
    results = saver.flush()
    assert [result.status for result in results] == ["saved", "saved"]
    sent = [story for result in results if isinstance(result, Done) for story in result.outputs]
    links = [Story.load(story.dump()).rss_entry.link for story in sent]
    assert links == [item(1).url, item(2).url]
    assert saver.flush() == []


def test_without_output_new_stories_are_in_the_database_alone(
    feeds_db: Database, database_url: str, attempts: list[Attempt]
) -> None:
    options = SaverOptions(database_url=SecretStr(database_url), output=False)
    with closing(StorySaver(options, lambda: later(2))) as saver:
        saver.add(attempts[0])
        (result,) = saver.flush()
    assert isinstance(result, Done)
    assert (result.status, len(result.outputs)) == ("saved", 0)
    assert len(all_stories(feeds_db)) == 1


def test_with_one_seed_feeds_are_polled_at_the_same_times_again(
    feeds_db: Database, database_url: str, attempts: list[Attempt]
) -> None:
    options = SaverOptions(database_url=SecretStr(database_url), saving=SaveOptions(jitter_seed=7))
    with feeds_db.writing() as connection:
        connection.execute(update(feeds).values(poll_minutes_override=1000))
    with closing(StorySaver(options, lambda: later(2))) as saver:
        for attempt in attempts:
            saver.add(attempt)
        saver.flush()
    planned = [feed(feeds_db, attempt.poll.feed_id).next_fetch_attempt for attempt in attempts]
    dice = options.saving.dice()
    waits = [timedelta(minutes=1000 * (0.9 + 0.2 * dice())) for _ in attempts]
    for moment, wait in zip(planned, waits, strict=True):
        assert moment is not None
        assert abs(moment - later(2) - wait) < timedelta(seconds=1)


def test_what_is_stale_or_of_no_feed_is_dropped(saver: StorySaver, attempts: list[Attempt]) -> None:
    attempts[0].poll.lease = "another"
    attempts[1].poll.feed_id = 99
    for attempt in attempts:
        saver.add(attempt)
    results = saver.flush()
    assert [(type(result), result.status) for result in results] == [
        (Discard, "stale"),
        (Discard, "missing"),
    ]


def test_a_message_that_comes_again_hands_the_same_on_again(
    saver: StorySaver, attempts: list[Attempt]
) -> None:
    sent: list[list[NewStory]] = []
    for _ in range(2):
        saver.add_again(attempts[0])
        (result,) = saver.flush()
        assert isinstance(result, Done)
        sent.append(list(result.outputs))
    assert sent[0] == sent[1] != []


def test_a_database_that_is_away_for_a_moment_is_asked_again(
    saver: StorySaver,
    attempts: list[Attempt],
    feeds_db: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failures = [StorageError("away"), StorageError("away")]
    save = saver._saver.save

    def fail(*given: object) -> object:
        if failures:
            raise failures.pop()
        return save(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(saver._saver, "save", fail)
    saver.add(attempts[0])
    assert saver.flush()[0].status == "saved"
    assert len(all_stories(feeds_db)) == 1


def test_a_database_that_stays_away_ends_the_program_and_nothing_is_lost(
    saver: StorySaver,
    attempts: list[Attempt],
    feeds_db: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise StorageError("away")

    monkeypatch.setattr(saver._saver, "save", fail)
    saver.add(attempts[0])
    with pytest.raises(StorageError):
        saver.flush()
    assert feed(feeds_db).lease_owner == attempts[0].poll.lease


def test_what_was_saved_is_counted_by_the_names_of_dashboards(
    saver: StorySaver, attempts: list[Attempt]
) -> None:
    attempts[1] = Attempt(
        poll=attempts[1].poll, started=later(1), status="HTTP 404 Not Found", detail=""
    )
    seen = Snapshot()
    with attached(seen):
        for attempt in attempts:
            saver.add(attempt)
        saver.flush()
    rows = {
        (row["name"], *(row.get("labels") or {}).values()): row.get("value") for row in seen.rows()
    }
    assert rows["feeds", "ok"] == rows["feeds", "http_404"] == 1
    assert rows["stories.stat_ok",] == 1
