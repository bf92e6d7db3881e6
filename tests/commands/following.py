"""Feeds of newspapers that write on, followed in a test."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from indexer.feeds.models import feeds
from indexer.feeds.registry.changing import fetch_feed_soon
from indexer.feeds.store import open_feeds
from indexer.news.normalized_urls import unique_url_hash
from indexer.search import open_index
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.system.options import environment
from newsroom.server import Newsroom
from tests.commands.sample import HASTE, story_indexer
from tests.patience import PATIENCE

SETTINGS = {**HASTE, "RSS_FETCH_FEED_SECS": "0", "FEEDS_LOOK_SECONDS": "0.1"}
"""Settings of what is asked of this machine only."""


def wait_for(happens: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.2)


def now() -> datetime:
    """As the feeds family has it."""
    return datetime.now(UTC).replace(tzinfo=None)


class Followed:
    """A data directory, and the newsroom whose feeds are followed into it."""

    def __init__(self, data: Path, room: Newsroom) -> None:
        self.data = data
        self._settings = {**SETTINGS, "FETCHER_RESOLVE": " ".join(room.addresses)}

    def run(self, *arguments: str, status: int = 0) -> "subprocess.CompletedProcess[bytes]":
        """Follow until it ends by itself."""
        ended = story_indexer(*self._command(arguments))
        assert b"Traceback" not in ended.stderr, ended.stderr.decode()
        assert ended.returncode == status, ended.stderr.decode()
        return ended

    @contextmanager
    def running(self, *arguments: str) -> Iterator["Running"]:
        """Follow meanwhile."""
        process = subprocess.Popen(
            [sys.executable, "-m", "indexer.commands.main", *self._command(arguments)],
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        try:
            yield Running(process)
        finally:
            process.kill()
            process.communicate()

    def has_indexed(self, urls: Sequence[str]) -> bool:
        """Whether all of these are in the index."""
        file = self.data / "index.sqlite3"
        if not file.exists():
            return False
        index = open_index(f"sqlite:///{file}", STORY_FIELDS)
        try:
            index.refresh()
            return all(index.get(unique_url_hash(url)) is not None for url in urls)
        finally:
            index.close()

    def poll_soon(self) -> None:
        """Have all feeds polled at once, whatever their schedule says."""
        database = open_feeds(f"sqlite:///{self.data / 'feeds.sqlite3'}", make=False)
        with database.reading() as connection:
            ids = [*connection.scalars(feeds.select().with_only_columns(feeds.c.id))]
        # One that is being fetched can't be asked for.
        wait_for(lambda: all(fetch_feed_soon(database, id, now()) for id in ids))
        database.close()

    def _command(self, arguments: Sequence[str]) -> list[str]:
        given = [word for pair in self._settings.items() for word in ("--set", "=".join(pair))]
        return ["follow", "--json", "--data", str(self.data), *given, *arguments]


class Running:
    """A command that runs."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def stop(self) -> dict[str, Any]:
        """Press Ctrl-C; what it says in the end."""
        self._process.send_signal(signal.SIGINT)
        out, err = self._process.communicate(timeout=PATIENCE)
        assert b"Traceback" not in err, err.decode()
        assert self._process.returncode == 0, err.decode()
        summary: dict[str, Any] = json.loads(out)
        return summary
