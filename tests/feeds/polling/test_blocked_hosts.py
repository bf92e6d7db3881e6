"""Blocks of hosts, on each database."""

from datetime import timedelta

from indexer.database import Database
from indexer.feeds.polling.blocked_hosts import BlockedHosts
from indexer.feeds.polling.paces import Paces
from tests.clock import Clock
from tests.feeds.polls import NOW

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
