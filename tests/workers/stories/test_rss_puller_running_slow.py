"""The rss-puller as a process that is told to stop."""

import os
import signal
import subprocess
import sys

from tests.patience import PATIENCE
from tests.workers.stories.rss_pulling import Pulling
from tests.workers.stories.test_rss_puller_running import ALL, pulling

__all__ = ["pulling"]


def test_a_watching_puller_ends_when_it_is_told_to(pulling: Pulling) -> None:
    options = (f"--data={pulling.data}", "--min-disk-free=0", "--page-pause=0", "--watch=0.05")
    broker = f"--broker-url=sqlite:///{pulling.data.parent / 'queues.sqlite3'}"
    command = [sys.executable, "-m", "workers.stories.rss_puller", "--rss-fetcher-batch-size=4"]
    process = subprocess.Popen(
        [*command, broker, *options],
        env={**os.environ, **pulling.server.variables},
        stderr=subprocess.PIPE,
        text=True,
    )

    def answered(count: int) -> None:
        if count == 6:
            process.send_signal(signal.SIGTERM)

    pulling.server.answered = answered
    try:
        _, said = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 0, said
    assert pulling.queued() == ALL
