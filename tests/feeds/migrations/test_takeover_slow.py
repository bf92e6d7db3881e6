"""Taking over many stories, and being killed meanwhile."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from indexer.feeds.migrations.takeover import survey, take_over
from indexer.feeds.store import open_feeds
from tests.feeds.rss_fetcher import make_rss_fetcher, run
from tests.paths import ROOT

STORIES = 12_000

FILL = """
INSERT INTO stories (feed_id, sources_id, url, normalized_url, guid, fetched_at, title)
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count)
SELECT n % 100, n % 10, 'https://site.example/Story/' || n || '?utm_source=rss',
    'http://site.example/story/' || n, 'guid ' || n, '2023-04-01 10:00:00.123456',
    'A title of some length that is usual for the news of the day, number ' || n
FROM numbers
"""

KILLED = """
import os, signal, sys
from indexer.feeds.migrations.takeover import take_over
take_over(sys.argv[1], lambda table, rows: os.kill(os.getpid(), signal.SIGKILL))
"""


@pytest.fixture
def existing(database_url: str) -> str:
    """The URL of an rss-fetcher's database with many stories."""
    if database_url.startswith("sqlite"):
        Path(database_url.removeprefix("sqlite:///")).parent.mkdir()
    make_rss_fetcher(database_url)
    filled = FILL.replace("'2023-04-01 10:00:00.123456'", "timestamp '2023-04-01 10:00:00.123456'")
    run(database_url, FILL if database_url.startswith("sqlite") else filled, count=STORIES)
    return database_url


def test_a_process_that_is_killed_changes_nothing(existing: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run([sys.executable, "-c", KILLED, existing], env=environment, check=False)
    assert ended.returncode == -9
    assert survey(existing).rows["stories"] == STORIES
    assert run(existing, "SELECT count(*) AS number FROM stories")[0]["number"] == STORIES
    seen = []
    taken = take_over(existing, lambda table, rows: seen.append((table, rows)))
    assert taken.rows["stories"] == STORIES
    assert taken.rows["story_keys"] == 2 * STORIES
    assert taken.same_identity == 0
    assert seen[:2] == [("stories", 5000), ("stories", 10_000)]
    open_feeds(existing).close()
