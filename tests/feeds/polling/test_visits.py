"""Visits of other URLs than the feed's own, on each database."""

from datetime import datetime, timedelta

import pytest

from indexer.database import Database
from indexer.errors import Requeue, StorageError
from indexer.feeds.attempt import Poll
from indexer.feeds.polling.paces import BlockedHosts, Paces
from indexer.feeds.polling.visits import Visits, query_or_requeue
from tests.feeds.polls import NOW, poll

URL = "https://news.a.example/feed"


class Trip:
    """The visits of one poll, with a clock that is moved by its pauses."""

    def __init__(self, database: Database, interval: float = 5.0, *, stopped: bool = False) -> None:
        self.now = NOW
        self.pauses: list[float] = []
        self.paces = Paces(database, interval)
        self.blocks = BlockedHosts(database, self.paces)
        self._stopped = stopped

    def of(self, poll: Poll) -> Visits:
        return Visits(poll, self.paces, self.blocks, lambda: self.now, self._sleep)

    def _sleep(self, seconds: float) -> bool:
        self.pauses.append(seconds)
        self.now += timedelta(seconds=seconds)
        return self._stopped


KEYS = ["source:3", "host:news.a.example", "domain:a.example"]


def test_a_redirect_within_the_host_takes_no_turn(feeds_db: Database) -> None:
    trip = Trip(feeds_db)
    visits = trip.of(poll(URL, keys=KEYS))
    trip.paces.reserve(KEYS, NOW)

    assert visits("https://news.a.example/other", False) is None
    assert trip.pauses == []


def test_another_host_takes_a_turn(feeds_db: Database) -> None:
    trip = Trip(feeds_db)
    trip.paces.reserve(["host:b.example", "domain:b.example"], NOW)
    visits = trip.of(poll(URL, keys=KEYS))

    assert visits("https://b.example/feed", False) is None
    assert visits("https://b.example/again", False) is None
    assert trip.pauses == [5.0]
    assert trip.paces.reserve(["host:b.example"], trip.now) == 5.0


def test_another_host_of_the_domain_takes_its_own_turn(feeds_db: Database) -> None:
    trip = Trip(feeds_db)
    trip.paces.reserve([*KEYS, "host:www.a.example"], NOW)

    assert trip.of(poll(URL, keys=KEYS))("https://www.a.example/feed", False) is None
    assert trip.pauses == [5.0]


def test_an_extra_request_takes_another_turn(feeds_db: Database) -> None:
    trip = Trip(feeds_db)
    trip.paces.reserve(KEYS, NOW)
    visits = trip.of(poll(URL, keys=KEYS, sources_id=3))

    assert [visits("https://news.a.example/1.xml", True) for _ in range(3)] == [None] * 3
    assert trip.pauses == [5.0] * 3


def test_a_host_that_is_blocked_is_not_visited(feeds_db: Database) -> None:
    trip = Trip(feeds_db)
    until = NOW + timedelta(hours=1)
    trip.blocks.block(["host:b.example"], until)
    visits = trip.of(poll(URL, keys=KEYS))

    assert visits("https://b.example/feed", False) == until
    assert visits("https://c.b.example/feed", False) is None
    assert trip.paces.reserve(["host:b.example"], NOW) == 0


def test_an_attempt_does_not_wait_for_a_distant_turn(feeds_db: Database) -> None:
    trip = Trip(feeds_db)
    for _ in range(5):
        trip.paces.reserve(["host:b.example"], NOW)

    later = trip.of(poll(URL, keys=KEYS))("https://b.example/feed", False)
    assert later == NOW + timedelta(seconds=25)
    assert trip.pauses == []


def test_a_distant_turn_is_left_to_others(feeds_db: Database) -> None:
    trip = Trip(feeds_db)
    for _ in range(5):
        trip.paces.reserve(["host:b.example"], NOW)

    trip.of(poll(URL, keys=KEYS))("https://b.example/feed", False)
    assert trip.paces.reserve(["host:b.example"], NOW) == 25


def test_after_a_distant_turn_the_next_visit_waits_again(feeds_db: Database) -> None:
    trip = Trip(feeds_db)
    for _ in range(5):
        trip.paces.reserve(["host:b.example"], NOW)
    visits = trip.of(poll(URL, keys=KEYS))

    assert visits("https://b.example/feed", False) is not None
    assert visits("https://b.example/feed", False) is not None


def test_an_attempt_that_missed_its_turn_waits_for_another(feeds_db: Database) -> None:
    trip = Trip(feeds_db)
    trip.paces.reserve(["domain:a.example"], NOW)
    visits = trip.of(poll(URL, keys=KEYS))

    assert visits.begin_late() is None
    assert trip.pauses == [5.0]
    trip.blocks.block(["host:news.a.example"], NOW + timedelta(1))
    assert visits.begin_late() == NOW + timedelta(1)


def test_a_program_that_stops_does_not_wait(feeds_db: Database) -> None:
    trip = Trip(feeds_db, stopped=True)
    trip.paces.reserve(["host:b.example"], NOW)

    assert trip.of(poll(URL, keys=KEYS))("https://b.example/feed", False) == NOW


def test_without_limits_only_blocks_count(feeds_db: Database) -> None:
    trip = Trip(feeds_db, 0.0)
    visits = trip.of(poll(URL, keys=KEYS))

    assert [visits(f"https://b.example/{each}", True) for each in range(9)] == [None] * 9
    trip.blocks.block(["host:b.example"], NOW + timedelta(1))
    assert visits("https://b.example/", True) == NOW + timedelta(1)
    assert trip.pauses == []


def test_a_failing_database_requeues() -> None:
    def away() -> datetime:
        raise StorageError("gone")

    with pytest.raises(Requeue, match="no-database: gone"):
        query_or_requeue(away)
