"""The queues of a small pipeline on a broker of each kind, for tests of `qutil`."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner, Result

from indexer.broker import open_broker
from indexer.commands.queues.qutil import app
from indexer.messages.message import Delivery, Send
from indexer.messages.pipelines import Pipeline, Step
from tests.patience import PATIENCE

PIPELINE = Pipeline(
    "small", [Step("source", to=["parser"]), Step("parser", to=["importer"]), Step("importer")]
)


@dataclass(frozen=True)
class Queues:
    """A broker, and `qutil` on it."""

    url: str

    def declare(self) -> None:
        """Make the queues."""
        broker = open_broker(self.url)
        broker.declare(PIPELINE.compile())
        broker.close()

    def publish(self, sends: Iterable[Send]) -> None:
        """Send messages."""
        broker = open_broker(self.url)
        broker.publish(sends)
        broker.close()

    def qutil(self, *arguments: str | Path) -> Result:
        """Run a command on the broker; a dump ends when no message has come for a while."""
        words = [*map(str, arguments), "--broker", self.url]
        dumps = words[0].startswith("dump") and "--idle-seconds" not in words
        # A file's messages are there at once; those of a server may be on their way.
        idle = "0.1" if self.url.startswith("sqlite:") else "2"
        return CliRunner().invoke(app, [*words, *(["--idle-seconds", idle] if dumps else [])])

    def ready(self, queue: str) -> int:
        """How many messages wait."""
        broker = open_broker(self.url)
        depth = broker.depth(queue)
        broker.close()
        assert depth, queue
        return depth.ready

    def settles_at(self, queue: str, count: int) -> bool:
        """Whether so many messages wait, soon: brokers take their time to put them back."""
        deadline = time.monotonic() + PATIENCE
        while self.ready(queue) != count:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return True

    def take(self, queue: str, count: int) -> Sequence[Delivery]:
        """All messages of a queue, out of it; there have to be so many."""
        assert self.settles_at(queue, count)
        broker = open_broker(self.url)
        consumer = broker.consume(queue, count + 1)
        found = []
        for _ in range(count):
            delivery = consumer.receive(PATIENCE)
            assert delivery
            found.append(delivery)
        consumer.settle(found)
        consumer.close()
        broker.close()
        return found
