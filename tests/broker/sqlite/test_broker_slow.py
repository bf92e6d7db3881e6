"""The embedded broker with many processes, kills, and large messages."""

import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from indexer.broker.sqlite.broker import SQLiteBroker
from indexer.messages.message import Send
from tests.patience import PATIENCE


def run(code: str, *arguments: object) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def test_the_file_does_not_grow_for_ever(broker: SQLiteBroker, path: Path) -> None:
    consumer = broker.consume("in", 1)
    for _ in range(30):
        broker.publish([Send("", "in", os.urandom(500_000))])
        delivery = consumer.receive(0)
        assert delivery
        consumer.settle([delivery])
    assert path.stat().st_size < 3_000_000
    broker.close()
    assert path.stat().st_size < 200_000


@pytest.mark.parametrize(("size", "count", "most"), [(1_000_000, 40, 20), (1, 300, 100)])
def test_a_batch_is_not_in_memory_at_once(
    broker: SQLiteBroker, size: int, count: int, most: int
) -> None:
    broker.publish([Send("", "in", bytes(size))] * count)
    consumer = broker.consume("in", 1000)
    assert consumer.receive(0)
    depth = broker.depth("in")
    assert depth
    assert depth.unsettled
    assert depth.unsettled <= most


_OPEN = "import sys; from indexer.broker import open_broker; open_broker(sys.argv[1]).close()"


def test_processes_may_make_the_file_at_once(path: Path) -> None:
    processes = [run(_OPEN, f"sqlite:///{path}") for _ in range(4)]
    assert [process.wait() for process in processes] == [0] * 4


_MOVE = """
import sys
from indexer.broker import open_broker
from indexer.messages.message import Send
consumer = open_broker(sys.argv[1]).consume("in", 3)
while delivery := consumer.receive(0.3):
    consumer.settle([delivery], [Send("", "quar", delivery.body)])
    print(delivery.body.decode(), flush=True)
"""


def test_whenever_a_process_is_killed_nothing_is_lost_or_doubled(
    broker: SQLiteBroker, path: Path
) -> None:
    broker.publish(Send("", "in", b"%d" % number) for number in range(200))
    for lines in (1, 20, 50):
        with run(_MOVE, f"sqlite:///{path}") as process:
            assert process.stdout
            for _ in range(lines):
                assert process.stdout.readline()
            process.kill()
    with run(_MOVE, f"sqlite:///{path}") as process:
        process.communicate()
    consumer = broker.consume("quar", 200)
    moved = [int(delivery.body) for _ in range(200) if (delivery := consumer.receive(0))]
    assert sorted(moved) == [*range(200)]


def _hold_and_fork(url: str, pids: "multiprocessing.Queue[int]") -> None:
    consumer = SQLiteBroker.open(url).consume("in", 1)
    assert consumer.receive(PATIENCE)
    child = os.fork()
    if not child:
        signal.pause()
    pids.put(child)
    signal.pause()


def test_a_child_that_outlives_a_killed_consumer_keeps_nothing(
    broker: SQLiteBroker, path: Path
) -> None:
    broker.publish([Send("", "in", b"x")])
    context = multiprocessing.get_context("spawn")
    pids: multiprocessing.Queue[int] = context.Queue()
    parent = context.Process(target=_hold_and_fork, args=(f"sqlite:///{path}", pids))
    parent.start()
    child = pids.get(timeout=PATIENCE)
    parent.kill()
    try:
        delivery = broker.consume("in", 1).receive(PATIENCE)
        assert delivery
        assert delivery.deliveries == 2
    finally:
        os.kill(child, signal.SIGKILL)
