"""Measures the time to claim feeds out of 200,000, a tenth of which are ready."""

import random
import statistics
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from indexer.database import Database, utc_now
from indexer.feeds.models import feeds
from indexer.feeds.polling.claiming import ClaimOptions, Claims
from indexer.text.chunks import chunks

SIZES = (10, 100, 500)
"""Feeds in one claim; the scheduler claims at most the last of these numbers."""

TIMES = 15
READY = 0.1
SOURCES = 20_000
HOSTS = 30_000
SEED = 7


def measure(database: Database, number: int) -> dict[str, float]:
    """The median milliseconds of a claim, by its number of feeds.

    Fills the database first. The limits of sources, hosts and domains are in force.
    """
    now = utc_now()
    for some in chunks(_rows(number, now), 5000):
        with database.writing() as connection:
            connection.execute(feeds.insert(), some)
    if database.is_postgresql:
        with database.writing() as connection:
            connection.exec_driver_sql("ANALYZE feeds")
    claims = Claims(database, ClaimOptions.of({}), "benchmark")
    return {f"claim {size}": _median(claims, now, size) for size in SIZES}


def _median(claims: Claims, now: datetime, size: int) -> float:
    taken = []
    for _ in range(TIMES):
        started = time.perf_counter()
        claimed = claims.claim(now, size)
        taken.append(time.perf_counter() - started)
        if len(claimed) != size:
            raise RuntimeError(f"{len(claimed)} feeds were claimed, not {size}")
    return round(statistics.median(taken) * 1000, 1)


def _rows(number: int, now: datetime) -> Iterator[dict[str, Any]]:
    chance = random.Random(SEED)  # noqa: S311 - variety, not secrecy
    for id in range(1, number + 1):
        host = f"site-{chance.randrange(HOSTS)}.example.org"
        is_ready = chance.random() < READY
        minutes = -chance.uniform(0, 60) if is_ready else chance.uniform(1, 1440)
        yield {
            "id": id,
            "sources_id": chance.randrange(SOURCES),
            "url": f"http://{host}/feeds/{id}.xml",
            "host": host,
            "domain": host,
            "created_at": now,
            "next_fetch_attempt": now + timedelta(minutes=minutes),
        }
