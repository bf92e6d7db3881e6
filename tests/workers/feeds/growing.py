"""Feeds that grow while programs poll them, and the programs."""

import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

from indexer.broker import open_broker
from indexer.database import Database
from pipeline import flavor
from tests.feeds.rows import add_feeds
from tests.patience import PATIENCE
from tests.workers.programs import start

WINDOW = 25
"""Items that a feed shows."""

PROGRAMS = ("feed_scheduler", "feed_fetcher", "feed_parser", "story_saver")


class GrowingFeeds:
    """A server of feeds, each of which has one more item at each request."""

    def __init__(self, feeds: int) -> None:
        self.feeds = feeds
        self.served: Counter[int] = Counter()
        """The number of the last item of each feed."""
        self.grows = True
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            """Answers with a feed."""

            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body = outer.feed(int(self.path.strip("/").removesuffix(".xml")))
                self.send_response(200)
                self.send_header("Content-Type", "application/rss+xml")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        # Closing the server waits for the threads of its connections.
        self._server.daemon_threads = False

    def feed(self, number: int) -> bytes:
        """The feed as it is now, one item longer than before."""
        with self._lock:
            self.served[number] += self.grows
            last = self.served[number]
        items = "".join(
            f"<item><title>Story {each} of {number}</title><link>{_link(number, each)}</link>"
            f"<guid>{number}-{each}</guid></item>"
            for each in range(last, max(0, last - WINDOW), -1)
        )
        text = f'<rss version="2.0"><channel><title>Feed {number}</title>{items}</channel></rss>'
        return text.encode()

    def url(self, number: int) -> str:
        """Return the URL of a feed."""
        return f"http://127.0.0.1:{self._server.server_port}/{number}.xml"

    @property
    def links(self) -> set[str]:
        """The links of all items that were served."""
        with self._lock:
            return {
                _link(number, each)
                for number, last in self.served.items()
                for each in range(1, last + 1)
            }

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


class Running:
    """The programs of the flavor `feeds`, one process each; killed at the end."""

    def __init__(self, broker: str, variables: Mapping[str, str]) -> None:
        opened = open_broker(broker)
        opened.declare(flavor("feeds").compile())
        opened.close()
        self._variables = {
            "BROKER_URL": broker,
            "FETCHER_ALLOW_ADDRESS": "127.0.0.0/8",
            "RSS_FETCH_FEED_SECS": "0",
            "RSS_FETCH_FEED_CONCURRENCY": "0",
            "FEEDS_LOOK_SECONDS": "0.1",
            "FEEDS_LEASE_SECONDS": "5",
            **variables,
        }
        self._processes: dict[str, subprocess.Popen[str]] = {}

    def kill(self, program: str) -> None:
        """Kill a program, and start it again."""
        self._end(program)
        self._start(program)

    def revive(self) -> None:
        """Start programs again that have ended, as a supervisor does."""
        for program, process in self._processes.items():
            if process.poll() is not None:
                self._start(program)

    def __enter__(self) -> Self:
        for program in PROGRAMS:
            self._start(program)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for program in PROGRAMS:
            self._end(program)

    def _start(self, program: str) -> None:
        variables = {**self._variables, "LOG_LEVEL": "critical"}
        self._processes[program] = start(f"feeds.{program}", **variables)

    def _end(self, program: str) -> None:
        process = self._processes[program]
        process.kill()
        process.communicate()


def register(database: Database, server: GrowingFeeds) -> None:
    """The feeds of a server as rows."""
    add_feeds(
        database,
        [
            {"url": server.url(number), "host": "127.0.0.1", "domain": None}
            for number in range(1, server.feeds + 1)
        ],
    )


def wait_until(true: Callable[[], bool], what: str) -> None:
    """Wait until something is true. Fails after PATIENCE."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, f"not in {PATIENCE:.0f} s: {what}"
        time.sleep(0.05)


def _link(feed: int, item: int) -> str:
    return f"https://news.example/{feed}/story-{item}"
