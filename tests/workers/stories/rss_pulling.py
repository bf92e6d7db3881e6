"""A puller between an rss-fetcher on loopback and the embedded broker, for tests."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from indexer.broker import Broker, open_broker
from indexer.loops.producing import ProducerRunner
from indexer.messages.outcome import Outcome
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.worker import Mark
from indexer.stories.story import Story
from tests.patience import PATIENCE
from tests.stories.rss_fetcher_server import PASSWORD, USER, Reply, Row, RSSFetcherServer, envelope
from workers.stories.rss_puller import RSSPuller, RSSPullerOptions

TOPOLOGY = Pipeline("test", [Step("rss-puller", to=["fetcher"]), Step("fetcher")]).compile()

PAGE = 4


class Pulling:
    """A server, a broker, a data directory, and the pullers that are made for them.

    Nobody waits: `waited` has the seconds that it would have taken.
    """

    def __init__(self, server: RSSFetcherServer, broker: Broker, data: Path) -> None:
        self.server = server
        self.broker = broker
        self.data = data
        self.waited: list[float] = []

    def make(self, **given: Any) -> RSSPuller:
        """A puller with pages of four."""
        options: dict[str, Any] = {
            "data": self.data,
            "rss_fetcher_url": self.server.url,
            "rss_fetcher_user": USER,
            "rss_fetcher_pass": SecretStr(PASSWORD),
            "rss_fetcher_batch_size": PAGE,
        }
        return RSSPuller(RSSPullerOptions(**options | given), wait=self._wait)

    def _wait(self, seconds: float) -> Iterator[Mark]:
        self.waited.append(seconds)
        yield Mark()

    def run(self, puller: RSSPuller | None = None, **given: Any) -> list[Outcome]:
        """Queue what a puller yields; what was told of it. `given` is for the runner."""
        outcomes: list[Outcome] = []
        stop = given.pop("stop", threading.Event())
        given = {"batch_size": 100} | given
        runner = ProducerRunner(
            "rss-puller", puller or self.make(), self.broker, [outcomes.append], **given
        )
        runner.run(stop)
        return outcomes

    def queued(self) -> list[int]:
        """The ids of the entries in the queue."""
        return sorted(ids_in(self.broker))

    def last(self) -> Any:
        """The id in the bookmark's file."""
        path = self.data / "rss-puller" / "last-rss-entry"
        return json.loads(path.read_text())["id"] if path.exists() else None

    def firsts(self) -> list[int]:
        """Where the pages began that were asked for; the bookmark is checked with a limit of 1."""
        return [request.first for request in self.server.requests if request.limit > 1]

    def reply(self, rows: Sequence[object], times: int = 1) -> None:
        """What the server sends next."""
        self.server.replies.extend([Reply(body=envelope(rows))] * times)


@contextmanager
def pulling_from(rows: Sequence[Row], directory: Path) -> Iterator[Pulling]:
    """All of it, with these rows on the server."""
    broker = open_broker(f"sqlite:///{directory / 'queues.sqlite3'}")
    broker.declare(TOPOLOGY)
    with RSSFetcherServer(rows).running() as server:
        yield Pulling(server, broker, directory / "data")
    broker.close()


def ids_in(broker: Broker) -> list[int]:
    """The ids of the entries whose stories are in the fetcher's queue; they stay there."""
    depth = broker.depth("fetcher-in")
    assert depth is not None
    consumer = broker.consume("fetcher-in", max(depth.ready, 1))
    received = [consumer.receive(PATIENCE) for _ in range(depth.ready)]
    consumer.close()
    links = [Story.load(each.body).rss_entry.link or "" for each in received if each]
    return [int(link.rpartition("/")[2]) for link in links]
