"""`qutil dump_archives` and `load_archives`: a thousand messages, Ctrl-C, and a kill."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.commands.queue_command import Queues
from tests.commands.queues.test_qutil_archives import archived, dumps, files, seen, send
from tests.patience import PATIENCE

__all__ = ["dumps"]


def test_dump_purge_load_gives_the_same_queue(queues: Queues, dumps: Path) -> None:
    sent = [send(number) for number in range(1000)]
    queues.publish(sent)
    result = queues.qutil("dump_archives", "parser-quar", "--keep", "--output-dir", dumps)
    assert result.exit_code == 0, result.output
    assert queues.settles_at("parser-quar", 1000)
    assert queues.qutil("purge", "parser-quar", "--yes").exit_code == 0
    assert queues.ready("parser-quar") == 0
    result = queues.qutil("load_archives", "parser-quar", dumps, "--dry-run", "0")
    assert result.exit_code == 0, result.output
    assert seen(queues.take("parser-quar", 1000)) == seen(sent)


@contextmanager
def dumping(queues: Queues, dumps: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """A dump that waits for ever for the queue to be silent, and has written something."""
    command = [
        sys.executable,
        "-m",
        "indexer.commands.queues.qutil",
        "dump_archives",
        "parser-quar",
    ]
    given = ["--idle-seconds", "1000", "--output-dir", str(dumps), "--broker", queues.url]
    with subprocess.Popen(
        [*command, *given, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    ) as process:
        try:
            deadline = time.monotonic() + PATIENCE
            while queues.ready("parser-quar") or not any(dumps.iterdir()):
                assert time.monotonic() < deadline
                time.sleep(0.05)
            yield process
        finally:
            process.kill()


def test_ctrl_c_finishes_what_was_taken(queues: Queues, dumps: Path) -> None:
    queues.publish(send(number) for number in range(30))
    with dumping(queues, dumps) as process:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, "stopped before the end\n")
    dumped = [each for path in files(dumps) for each in archived(path)]
    assert out.endswith(f"{len(dumped)} stories of parser-quar dumped\n")
    assert queues.settles_at("parser-quar", 30 - len(dumped))
    assert dumped


def test_a_dump_that_is_killed_has_lost_nothing(queues: Queues, dumps: Path) -> None:
    sent = [send(number) for number in range(30)]
    queues.publish(sent)
    with dumping(queues, dumps) as process:
        process.kill()
        process.wait()
    assert files(dumps) == []
    assert seen(queues.take("parser-quar", 30)) == seen(sent)
