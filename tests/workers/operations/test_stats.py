"""rabbitmq-stats and docker-stats, as programs."""

import json
import re
import signal
import tempfile
import time
from pathlib import Path

import pytest
import requests

from tests.operations.fake_docker import docker
from tests.workers.operations.programs import run, start

SERVICE = {
    "Spec": {"Name": "prod_parser"},
    "ServiceStatus": {"RunningTasks": 3, "DesiredTasks": 4, "CompletedTasks": 0},
}


@pytest.mark.parametrize("program", ["rabbitmq_stats", "docker_stats"])
def test_help_has_examples_and_shows_no_secret(program: str) -> None:
    status, out, err = run(program, "--help", BROKER_URL="amqp://u:hunter2@h/")
    assert (status, err) == (0, "")
    assert f"python -m workers.operations.{program} --" in out.replace(
        "-U amqp://USER:PASSWORD@HOST/ ", ""
    )
    assert "hunter2" not in out


def test_docker_stats_prints_the_numbers_of_one_look() -> None:
    with tempfile.TemporaryDirectory() as folder, docker(Path(folder), [SERVICE]):
        url = f"unix://{folder}/docker.sock"
        status, out, _ = run("docker_stats", "--json", "--stack=prod", DOCKER_HOST=url)
    assert status == 0
    assert {row["name"]: row["value"] for row in map(json.loads, out.splitlines())} == {
        "service.completed": 0,
        "service.desired": 4,
        "service.running": 3,
    }


def test_docker_stats_shows_them_to_prometheus_until_it_is_stopped() -> None:
    with tempfile.TemporaryDirectory() as folder, docker(Path(folder), [SERVICE]) as server:
        url = f"--docker-url=unix://{folder}/docker.sock"
        process = start("docker_stats", url, "--metrics=127.0.0.1:0", "--interval=0.05")
        assert process.stderr is not None
        found = re.search(r"http://\S+/metrics", process.stderr.readline())
        assert found
        deadline = time.monotonic() + 60
        while len(server.asked) < 2:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        page = requests.get(found[0], timeout=30).text
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    assert process.returncode == 0
    assert 'story_indexer_service_running{name="prod_parser",program="docker-stats"} 3.0' in page


@pytest.mark.external
def test_rabbitmq_stats_prints_the_numbers_of_one_look(rabbitmq_url: str) -> None:
    status, out, _ = run("rabbitmq_stats", "--json", RABBITMQ_URL=rabbitmq_url)
    assert status == 0
    assert "nodes.memory" in {row["name"] for row in map(json.loads, out.splitlines())}


@pytest.mark.parametrize(
    ("program", "arguments", "status"),
    [
        ("docker_stats", ["--once", "--docker-url=unix:///no/such.sock"], 1),
        ("docker_stats", ["--once", "--docker-url=ftp://x"], 2),
        ("rabbitmq_stats", ["--once", "-Uamqp://u:hunter2@127.0.0.1:9/"], 1),
        ("rabbitmq_stats", ["--once"], 2),
    ],
)
def test_the_exit_status_says_what_was_wrong(
    program: str, arguments: list[str], status: int
) -> None:
    ended, out, err = run(program, *arguments)
    assert (ended, out) == (status, "")
    assert "Traceback" not in err
    assert "hunter2" not in err
