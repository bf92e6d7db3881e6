"""A worker process sends its metrics to Prometheus and statsd."""

import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import requests

from indexer.broker import open_broker
from indexer.messages.message import Send
from indexer.messages.pipelines import Pipeline, Step
from indexer.stories.story import RSSEntry, Story
from indexer.system.options import environment
from tests.paths import ROOT
from tests.patience import PATIENCE

TOPOLOGY = Pipeline("toy", [Step("source", to=["work"]), Step("work")]).compile()


def queue(folder: Path, *links: str) -> None:
    """Queue stories for the toy worker."""
    broker = open_broker(f"sqlite:///{folder / 'queues.sqlite3'}")
    broker.declare(TOPOLOGY)
    stories = [Story(rss_entry=RSSEntry(link=link)) for link in links]
    broker.publish(Send("", "work-in", story.dump()) for story in stories)
    broker.close()


def start(folder: Path, **variables: str) -> subprocess.Popen[str]:
    """Start the toy worker."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.toy.work"],
        cwd=ROOT,
        env={**environment(), "DATAROOT": str(folder), **variables},
        stderr=subprocess.PIPE,
        text=True,
    )


def page_with(url: str, line: str) -> str:
    """Return Prometheus' page when it contains the line."""
    deadline = time.monotonic() + PATIENCE
    page = ""
    while line not in page and time.monotonic() < deadline:
        page = requests.get(url, timeout=PATIENCE).text
    return page


def received(server: socket.socket) -> list[str]:
    """Return the lines of all datagrams received so far."""
    server.setblocking(False)
    lines = []
    try:
        while True:
            lines += server.recv(2000).decode().split("\n")
    except BlockingIOError:
        return lines


def test_every_outcome_is_counted_once_at_both(tmp_path: Path) -> None:
    queue(tmp_path, "a", "b", "drop")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        worker = start(
            tmp_path,
            METRICS_ADDRESS="127.0.0.1:0",
            STATSD_URL=f"statsd://127.0.0.1:{server.getsockname()[1]}",
            STATSD_REALM="dev",
        )
        try:
            assert worker.stderr is not None
            found = re.search(r"http://\S+/metrics", worker.stderr.readline())
            assert found
            name = "story_indexer_outcomes_total"
            dropped = f'{name}{{program="work",status="dropped"}} 1.0'
            page = page_with(found[0], dropped)
            assert dropped in page
            assert f'{name}{{program="work",status="success"}} 2.0' in page
            assert 'story_indexer_message_seconds_count{program="work",stat="ok"} 3.0' in page
            worker.send_signal(signal.SIGTERM)
            worker.communicate(timeout=PATIENCE)
        finally:
            worker.kill()
        assert worker.returncode == 0
        lines = received(server)
    counts = {
        name: sum(float(line.split(":")[1].split("|")[0]) for line in lines if name in line)
        for name in (
            "outcomes.status_success:",
            "outcomes.status_dropped:",
            "sent-msgs.dest_work-out:",
        )
    }
    assert list(counts.values()) == [2, 1, 2]
    assert sum("mc.dev.story-indexer.work.message.stat_ok:" in line for line in lines) == 3
    assert sum("main_loop:" in line for line in lines) == 1
