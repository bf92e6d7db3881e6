"""The rss-puller, killed again and again: no entry is lost, and none is indexed twice."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from indexer.news.normalized_urls import unique_url_hash
from indexer.search import Added, Document, open_index
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.patience import PATIENCE
from tests.stories.rss_fetcher_server import entry
from tests.workers.stories.rss_pulling import Pulling, ids_in, pulling_from

pytestmark = pytest.mark.timeout(600)

ENTRIES, BATCH, KILLS = 10_000, 250, 20

LATEST = 0.03
"""Seconds after an answer: about what it takes to queue its entries and to write that down."""


def start(pulling: Pulling) -> subprocess.Popen[bytes]:
    """A run that says only what is wrong."""
    options = [
        f"--data={pulling.data}",
        f"--broker-url=sqlite:///{pulling.data.parent / 'queues.sqlite3'}",
        f"--rss-fetcher-batch-size={BATCH}",
        "--page-pause=0",
        "--first-id=1",
        "--min-disk-free=0",
        "--log-level=error",
    ]
    return subprocess.Popen(
        [sys.executable, "-m", "workers.stories.rss_puller", *options],
        env={**os.environ, **pulling.server.variables},
    )


def kill_one(pulling: Pulling, pages: int, seconds: float) -> None:
    """Start a run that gets so many pages, and kill it so long after the last of them."""
    last = len(pulling.server.requests) + pages
    reached, killed = threading.Event(), threading.Event()

    def asked(count: int) -> None:
        if count > last:
            killed.wait(PATIENCE)
            raise ConnectionAbortedError

    pulling.server.asked = asked
    pulling.server.answered = lambda count: reached.set() if count == last else None
    process = start(pulling)
    try:
        assert reached.wait(PATIENCE)
        time.sleep(seconds)
    finally:
        process.kill()
        ended = process.wait()
        killed.set()
    assert ended == -signal.SIGKILL


def test_killed_at_twenty_moments_it_loses_nothing_and_repeats_a_page_each_at_most(
    tmp_path: Path,
) -> None:
    rows = [entry(number) for number in range(1, ENTRIES + 1)]
    chance = random.Random(20)
    with pulling_from(rows, tmp_path) as pulling:
        for _ in range(KILLS):
            # Two pages at most: there has to be something left for the last kill.
            kill_one(pulling, chance.choice((1, 2)), chance.uniform(0, LATEST))
        pulling.server.asked = lambda count: None
        assert start(pulling).wait(PATIENCE) == 0

        found = Counter(ids_in(pulling.broker))
        asked = Counter(pulling.firsts())
        assert pulling.last() == ENTRIES
    assert found.keys() == set(range(1, ENTRIES + 1))
    # A page is asked for again only because of a kill, and its entries are queued no more often.
    assert asked.total() - len(asked) <= KILLS
    page = {number: first for first in asked for number in range(first, first + BATCH)}
    assert all(times <= asked[page[number]] for number, times in found.items())
    assert found.total() - ENTRIES <= KILLS * BATCH
    assert_indexed_once(tmp_path, list(found.elements()))


def assert_indexed_once(tmp_path: Path, queued: Sequence[int]) -> None:
    """What was queued twice is told by the index."""
    index = open_index(f"sqlite:///{tmp_path / 'index.sqlite3'}", STORY_FIELDS)
    documents = [_document(number) for number in queued]
    answers = Counter(answer.added for answer in index.add(documents))
    index.close()
    assert answers[Added.CREATED] == ENTRIES
    assert answers[Added.DUPLICATE] == len(queued) - ENTRIES


def _document(number: int) -> Document:
    """The document of an entry's story."""
    url = entry(number)["url"]
    values = {"url": url, "text_content": "text", "indexed_date": "2024-03-02T00:00:00.000000"}
    return Document(unique_url_hash(url), values)
