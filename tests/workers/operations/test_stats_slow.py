"""docker-stats as a process."""

import re
import signal
import tempfile
import time
from pathlib import Path

import requests

from tests.patience import PATIENCE
from tests.workers.operations.fake_docker import docker
from tests.workers.operations.programs import start
from tests.workers.operations.test_stats import SERVICE


def test_docker_stats_shows_them_to_prometheus_until_it_is_stopped() -> None:
    with tempfile.TemporaryDirectory() as folder, docker(Path(folder), [SERVICE]) as server:
        url = f"--docker-url=unix://{folder}/docker.sock"
        process = start("docker_stats", url, "--metrics=127.0.0.1:0", "--interval=0.05")
        assert process.stderr is not None
        found = re.search(r"http://\S+/metrics", process.stderr.readline())
        assert found
        deadline = time.monotonic() + PATIENCE
        while len(server.asked) < 2:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        page = requests.get(found[0], timeout=PATIENCE).text
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert 'story_indexer_service_running{name="prod_parser",program="docker-stats"} 3.0' in page
