"""The server as a process, from its start to its last answer."""

import re
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
from pydantic import SecretStr

from indexer.broker import Broker, open_broker
from indexer.feeds import models
from indexer.feeds.store import open_feeds
from indexer.loops.producing import ProducerRunner
from tests.feeds.served import READER, WRITER, a_feed, a_story, add, add_stories
from tests.patience import PATIENCE
from tests.workers import programs
from tests.workers.stories.rss_pulling import TOPOLOGY, ids_in
from workers.stories.rss_puller import RSSPuller, RSSPullerOptions

PAGE = 4

NOBODY = httpx.Auth()
DAILY = "/api/rss/mc-2026-11-20.rss.gz"

PAIR = {"RSS_FETCHER_USER": READER[0], "RSS_FETCHER_PASS": READER[1]}


def start(data: Path, *arguments: str, **variables: str) -> "subprocess.Popen[str]":
    return programs.start(
        "feeds.api", *arguments, **{"DATAROOT": str(data), "PORT": "0", **variables}
    )


@contextmanager
def serving(data: Path, *arguments: str, **variables: str) -> Iterator[httpx.Client]:
    """A running server, and a client of it; SIGTERM ends the server with status 0."""
    process = start(data, *arguments, **{**PAIR, **variables})
    assert process.stderr is not None
    try:
        line = next((line for line in process.stderr if "listening" in line), "")
        found = re.search(r"at='.*:(\d+)'", line)
        assert found, "it does not listen"
        here = f"http://127.0.0.1:{found[1]}"
        with httpx.Client(base_url=here, auth=READER, trust_env=False, timeout=PATIENCE) as client:
            yield client
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err
        assert "hunter2" not in err
    finally:
        process.kill()
        process.communicate()


class Puller:
    """An rss-puller of the stories family that requests pages of four."""

    def __init__(self, url: str, data: Path, broker: Broker) -> None:
        self._options = RSSPullerOptions(
            data=data,
            rss_fetcher_url=url,
            rss_fetcher_user=READER[0],
            rss_fetcher_pass=SecretStr(READER[1]),
            rss_fetcher_batch_size=PAGE,
            page_pause=0.0,
        )
        self._broker = broker

    def run(self) -> list[int]:
        """Pull all new stories. Returns the ids of all messages in the queue."""
        puller = RSSPuller(self._options)
        ProducerRunner("rss-puller", puller, self._broker, [], batch_size=100).run(
            threading.Event()
        )
        return sorted(ids_in(self._broker))


def test_a_story_puller_gets_each_story_once_over_pages_and_restarts(
    tmp_path: Path, database_url: str
) -> None:
    database = open_feeds(database_url)
    add(database, models.feeds, a_feed(1))
    add_stories(database, *(a_story(id) for id in range(1, 11)), a_story(11, url=None))
    queues = f"sqlite:///{tmp_path / 'queues.sqlite3'}"
    with closing(open_broker(queues)) as broker, closing(database):
        broker.declare(TOPOLOGY)
        with serving(tmp_path, DATABASE_URL=database_url) as client:
            puller = Puller(str(client.base_url), tmp_path, broker)
            assert puller.run() == [*range(1, 11)]
            assert puller.run() == [*range(1, 11)]
            add_stories(database, *(a_story(id) for id in (13, 14)))
            assert puller.run() == [*range(1, 11), 13, 14]
        add_stories(database, *(a_story(id) for id in range(15, 24)))
        with serving(tmp_path, DATABASE_URL=database_url) as client:
            assert Puller(str(client.base_url), tmp_path, broker).run() == [
                *(each for each in range(1, 24) if each not in (11, 12))
            ]


def test_what_is_open_and_what_is_not(tmp_path: Path) -> None:
    files = tmp_path / "rss-output-files"
    files.mkdir()
    (files / "mc-2026-11-20.rss.gz").write_bytes(b"\x1f\x8b")
    write = {"RSS_FETCHER_WRITE_USER": WRITER[0], "RSS_FETCHER_WRITE_PASS": WRITER[1]}
    with serving(tmp_path, GIT_REV="abc123", **write) as client:
        assert client.get("/healthz", auth=NOBODY).json() == {"status": "ok"}
        version = client.get("/api/version", auth=NOBODY)
        assert version.json()["results"] == {"GIT_REV": "abc123"}
        assert "server" not in version.headers
        assert client.get(DAILY, auth=NOBODY).content == b"\x1f\x8b"
        assert client.get("/api/feeds/1", auth=NOBODY).status_code == 401
        assert client.get("/api/feeds/1", auth=READER).json()["results"] is None
        soon = "/api/feeds/1/fetch-soon"
        assert client.post(soon, auth=READER).status_code == 401
        assert client.post(soon, auth=WRITER).json()["results"] == 0
        trial = client.get("/api/try", auth=WRITER, params={"url": "http://127.0.0.1/"}).json()
        assert (trial["status"], trial["results"]["exchanges"]) == ("OK", [])
        numbers = client.get("/metrics", auth=NOBODY).text
    counted = 'api_requests_total{method="feed",program="feeds-api",status="200"} 1.0'
    assert counted in numbers
    assert "process_resident_memory_bytes" in numbers


def test_without_credentials_nobody_is_answered_and_the_log_says_so(tmp_path: Path) -> None:
    process = start(tmp_path)
    assert process.stderr is not None
    try:
        lines = [next(process.stderr) for _ in range(2)]
    finally:
        process.kill()
        process.communicate()
    assert "all requests are refused: set RSS_FETCHER_USER" in lines[0]
    assert "listening" in lines[1]
