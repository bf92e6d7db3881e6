"""Programs that speak on a shared exchange, killed while they publish."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from indexer.broker import Broker, open_broker
from indexer.messages.message import Send
from indexer.system.options import environment
from tests.broker.conftest import soon
from tests.paths import ROOT
from tests.toy.family.flavor import PIPELINE

COUNT, KILLS = 300, 4


@contextmanager
def requester(url: str, data: Path, *arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
    """The requester's process."""
    command = [sys.executable, "-m", "tests.toy.family.requester", *arguments]
    variables = {"PYTHONPATH": str(ROOT), "DATAROOT": str(data), "BROKER_URL": url}
    with (
        (data / "log").open("ab") as log,
        subprocess.Popen(command, env={**environment(), **variables}, stderr=log) as process,
    ):
        yield process
        process.kill()


def ready(broker: Broker, queue: str) -> int:
    depth = broker.depth(queue)
    assert depth
    return depth.ready


def test_a_kill_loses_no_request_and_no_answer(broker_url: str, tmp_path: Path) -> None:
    asked = [f"job.start.{'red' if n % 2 else 'green'}.n{n}" for n in range(COUNT)]
    with closing(open_broker(broker_url)) as broker:
        broker.declare(PIPELINE.compile())
        broker.publish(Send("", "requester-in", key.encode()) for key in asked)
        for kill in range(1, KILLS + 1):
            with requester(broker_url, tmp_path):
                assert soon(lambda asked=kill * 20: ready(broker, "red_painter") > asked)  # type: ignore[misc]

        def is_all_served() -> bool:
            with requester(broker_url, tmp_path, "--until-empty") as last:
                assert last.wait() == 0
            served = {d.key for d in broker.peek("red_painter", ready(broker, "red_painter"))}
            return served == {key for key in asked if "red" in key}

        # RabbitMQ returns the messages of a killed process a moment later.
        assert soon(is_all_served)
        assert ready(broker, "requester-in") == ready(broker, "requester-quar") == 0
    log = (tmp_path / "log").read_text()
    assert log.count("refused") >= COUNT // 2 - KILLS * 2
    assert "Traceback" not in log
