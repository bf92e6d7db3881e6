"""Turns and blocks, shared by all processes, on each database."""

from datetime import datetime, timedelta

import pytest

from indexer.database import Database
from indexer.errors import ConfigurationError
from indexer.feeds.polling.paces import BlockedHosts, Paces, PoliteOptions
from tests.clock import Clock

NOW = datetime(2026, 11, 21, 12)
KEYS = ["source:1", "host:a.example", "domain:a.example"]


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def test_the_first_turn_is_at_once_and_each_further_one_an_interval_later(
    feeds_db: Database,
) -> None:
    paces = Paces(feeds_db, 5.0)
    assert [paces.reserve(KEYS, NOW) for _ in range(4)] == [0, 5, 10, 15]
    assert paces.reserve(KEYS, later(12)) == 8


def test_turns_that_were_not_taken_are_lost(feeds_db: Database) -> None:
    paces = Paces(feeds_db, 5.0)
    paces.reserve(KEYS, NOW)
    assert [paces.reserve(KEYS, later(1000)), paces.reserve(KEYS, later(1000))] == [0, 5]


def test_a_turn_that_is_too_far_away_is_left_to_others(feeds_db: Database) -> None:
    paces = Paces(feeds_db, 5.0)
    assert [paces.reserve(KEYS, NOW, longest=9) for _ in range(4)] == [0, 5, 10, 10]
    assert paces.reserve(KEYS, later(10), longest=9) == 0


def test_the_latest_turn_of_all_keys_counts(feeds_db: Database) -> None:
    paces = Paces(feeds_db, 5.0)
    paces.reserve(["domain:a.example"], NOW)
    assert paces.reserve(["host:b.a.example", "domain:a.example"], NOW) == 5
    assert paces.reserve(["host:b.a.example"], NOW) == 10
    assert paces.reserve(["host:c.a.example"], NOW) == 0


def test_without_keys_or_interval_there_is_no_wait(feeds_db: Database) -> None:
    assert [Paces(feeds_db, 5.0).reserve([], NOW) for _ in range(3)] == [0, 0, 0]
    assert [Paces(feeds_db, 0).reserve(KEYS, NOW) for _ in range(3)] == [0, 0, 0]


def test_a_block_holds_for_all_until_it_ends(feeds_db: Database) -> None:
    Paces(feeds_db, 5.0).block(["host:a.example"], later(60))
    paces = Paces(feeds_db, 0)
    assert paces.blocked(KEYS, NOW) == later(60)
    assert paces.blocked(KEYS, later(59)) == later(60)
    assert paces.blocked(KEYS, later(60)) is None
    assert paces.blocked(["host:b.example"], NOW) is None
    assert paces.blocked([], NOW) is None


def test_a_block_can_be_ended(feeds_db: Database) -> None:
    paces = Paces(feeds_db, 0)
    paces.block(["host:a", "host:b"], later(60))
    paces.unblock(["host:a", "host:c"])
    assert paces.blocked(["host:a"], NOW) is None
    assert paces.blocked(["host:b"], NOW) == later(60)


def test_the_longest_block_counts(feeds_db: Database) -> None:
    paces = Paces(feeds_db, 5.0)
    for seconds in (60, 3600, 10):
        paces.block(["host:a.example"], later(seconds))
    assert paces.blocked(["host:a.example"], NOW) == later(3600)


def test_a_key_may_have_turns_and_a_block(feeds_db: Database) -> None:
    paces = Paces(feeds_db, 5.0)
    paces.block(["host:a.example"], later(60))
    assert [paces.reserve(["host:a.example"], NOW) for _ in range(2)] == [0, 5]
    assert paces.blocked(["host:a.example"], NOW) == later(60)


@pytest.mark.parametrize("name", ["RSS_FETCH_FEED_SECS", "RSS_FETCH_FEED_CONCURRENCY"])
def test_negative_limits_are_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match="below 0"):
        PoliteOptions.of({name: "-1"}).check_polite()


HOSTS = ["host:a.example", "host:b.example"]
UNTIL = NOW + timedelta(hours=4)


def test_blocks_of_other_fetchers_apply(feeds_db: Database) -> None:
    here = BlockedHosts(feeds_db, Paces(feeds_db, 5.0))
    assert here.until(HOSTS, NOW) is None
    BlockedHosts(feeds_db, Paces(feeds_db, 5.0)).block(HOSTS[:1], UNTIL)
    assert here.until(HOSTS, NOW) == UNTIL
    assert here.until(HOSTS[1:], NOW) is None
    assert here.until(HOSTS, UNTIL) is None
    assert here.until([], NOW) is None


def test_with_a_cache_blocks_are_read_every_second(feeds_db: Database, clock: Clock) -> None:
    here = BlockedHosts(feeds_db, Paces(feeds_db, 0.0), 1.0, clock)
    assert here.until(HOSTS, NOW) is None
    BlockedHosts(feeds_db, Paces(feeds_db, 0.0)).block(HOSTS[:1], UNTIL)
    clock.sleep(0.9)
    assert here.until(HOSTS, NOW) is None
    clock.sleep(0.2)
    assert here.until(HOSTS, NOW) == UNTIL
    assert here.until(HOSTS, UNTIL) is None


def test_its_own_blocks_apply_at_once(feeds_db: Database, clock: Clock) -> None:
    here = BlockedHosts(feeds_db, Paces(feeds_db, 0.0), 1.0, clock)
    assert here.until(HOSTS, NOW) is None
    here.block(HOSTS, UNTIL)
    here.block(HOSTS[:1], NOW + timedelta(seconds=1))
    assert here.until(HOSTS[:1], NOW) == UNTIL
