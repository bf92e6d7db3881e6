"""The scheduler: due feeds are claimed and queued."""

from collections.abc import Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from indexer.errors import ConfigurationError
from indexer.feeds.attempt import Poll
from indexer.messages.worker import Mark
from tests.each_row import each_row
from tests.feeds.new_database import new_feeds
from tests.feeds.rows import NOW, add_feeds, feed, later
from workers.feeds.feed_scheduler import FeedScheduler, SchedulerOptions


def scheduler(url: str, **settings: Any) -> FeedScheduler:
    options = SchedulerOptions(database_url=SecretStr(url), look_seconds=0.01, **settings)
    return FeedScheduler(options, lambda: NOW)


def ids(items: Sequence[object]) -> list[int]:
    return sorted(item.feed_id for item in items if isinstance(item, Poll))


def test_what_is_due_is_queued_and_leased(database_url: str) -> None:
    with closing(new_feeds(database_url)) as database:
        add_feeds(database, [{}, {"next_fetch_attempt": later(60)}, {}])
        with closing(scheduler(database_url, once=True)) as program:
            assert ids([*program.produce()]) == [1, 3]
        assert [feed(database, id).queued for id in (1, 2, 3)] == [True, False, True]


def test_polls_are_published_before_it_is_looked_again(database_url: str) -> None:
    with closing(new_feeds(database_url)) as database:
        add_feeds(database, [{}, {}])
    with closing(scheduler(database_url, once=True)) as program:
        kinds = [type(item) for item in program.produce()]
    assert kinds == [Poll, Poll, Mark, Mark]


def test_it_goes_on_looking(database_url: str) -> None:
    with closing(new_feeds(database_url)) as database:
        with closing(scheduler(database_url)) as program:
            source = program.produce()
            first = [*islice(source, 5)]
            add_feeds(database, [{}])
            found = next(item for item in source if isinstance(item, Poll))
            source.close()
        assert ids(first) == []
        assert found.feed_id == 1


def test_no_more_are_under_way_than_there_is_room_for(database_url: str) -> None:
    with closing(new_feeds(database_url)) as database:
        add_feeds(database, [{} for _ in range(10)])
    with closing(scheduler(database_url, once=True, ready_limit=4)) as program:
        assert len(ids([*program.produce()])) == 4


def test_named_feeds_are_polled_at_once_and_it_ends(database_url: str) -> None:
    with closing(new_feeds(database_url)) as database:
        add_feeds(database, [{"next_fetch_attempt": later(9999)}, {}, {"active": False}])
    with closing(scheduler(database_url, inputs=["1", "3", "99"])) as program:
        assert ids([*program.produce()]) == [1]


@each_row(
    ("settings", "word"),
    [
        ({"inputs": ["x"]}, "id of a feed"),
        ({"inputs": ["-1"]}, "id of a feed"),
        ({"dry_run": True}, "dry-run"),
        ({"test": True}, "--test"),
        ({"max_messages": 0}, "max-messages"),
        ({"random_sample": 50.0}, "random-sample"),
        ({"sample_size": 10}, "sample-size"),
        ({"ready_limit": 0}, "ready-limit"),
        ({"lease_seconds": 0}, "lease-seconds"),
        ({"feed_secs": -1}, "feed-secs"),
    ],
)
def test_options_that_cannot_work_are_refused(
    tmp_path: Path, settings: dict[str, Any], word: str
) -> None:
    with pytest.raises(ConfigurationError, match=word):
        scheduler(f"sqlite:///{tmp_path}/feeds.sqlite3", **settings)
