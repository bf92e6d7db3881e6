"""A broker of each kind with the queues of a small pipeline."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import uuid4

import pytest

from indexer.broker import Broker, open_broker
from indexer.messages.message import Delivery, Send
from indexer.messages.topology import Binding, Queue, Topology
from tests.patience import PATIENCE


@dataclass(frozen=True)
class Place:
    """The names of a test's queues and exchanges."""

    name: str

    def __getattr__(self, part: str) -> str:
        return f"{self.name}-{part}"

    @property
    def topology(self) -> Topology:
        """A step's queues; `out` is bound to `next` and `copy`, `lost` to no queue."""
        return Topology(
            queues=[
                Queue(self.input, dead_letter=self.quar, delivery_limit=1),
                Queue(self.quar),
                Queue(self.delay, dead_letter=self.input),
                Queue(self.next),
                Queue(self.copy),
                Queue(self.end, keep=False),
            ],
            exchanges=[self.out, self.lost, self.last],
            bindings=[
                Binding(self.out, self.next, "#"),
                Binding(self.out, self.copy, "default"),
                Binding(self.last, self.end, "#"),
            ],
        )

    def send(self, body: bytes, **settings: object) -> Send:
        """A message to the input queue."""
        return Send("", self.input, body, **settings)  # type: ignore[arg-type] # a test's shorthand


@pytest.fixture
def broker(broker_url: str, place: Place) -> Iterator[Broker]:
    """An open broker, closed before the place is deleted."""
    broker = open_broker(broker_url)
    yield broker
    broker.close()


@pytest.fixture
def place(broker_url: str) -> Iterator[Place]:
    """A small pipeline, declared before the test and deleted after it."""
    place = Place(f"test-{uuid4().hex[:8]}")
    broker = open_broker(broker_url)
    broker.declare(place.topology)
    yield place
    broker.delete(place.topology)
    broker.close()


_HOLDER = f"""
import sys
from indexer.broker import open_broker
url, queue, count = sys.argv[1:]
consumer = open_broker(url).consume(queue, int(count))
for _ in range(int(count)):
    assert consumer.receive({PATIENCE})
print("holding", flush=True)
sys.stdin.read()
"""


@contextmanager
def holder(url: str, queue: str, count: int = 1) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that holds so many messages, and is killed with SIGKILL at the end."""
    command = [sys.executable, "-c", _HOLDER, url, queue, str(count)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"holding\n"
        yield process
        process.kill()


def soon(condition: Callable[[], bool]) -> bool:
    """Whether a condition becomes true within `PATIENCE`."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def bodies(broker: Broker, queue: str, count: int) -> list[bytes]:
    """The next messages of a queue, settled."""
    consumer = broker.consume(queue, count)
    taken: list[Delivery] = []
    while len(taken) < count and (delivery := consumer.receive(PATIENCE)):
        taken.append(delivery)
    assert len(taken) == count
    consumer.settle(taken)
    consumer.close()
    return [delivery.body for delivery in taken]
