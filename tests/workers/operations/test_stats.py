"""rabbitmq-stats and docker-stats, called in-process."""

import json
import tempfile
from pathlib import Path

import pytest

from tests.each_row import each_row
from tests.workers.in_process import Call
from tests.workers.operations.fake_docker import docker

SERVICE = {
    "Spec": {"Name": "prod_parser"},
    "ServiceStatus": {"RunningTasks": 3, "DesiredTasks": 4, "CompletedTasks": 0},
}


@each_row("program", ["rabbitmq_stats", "docker_stats"])
def test_help_has_examples_and_shows_no_secret(call: Call, program: str) -> None:
    status, out, err = call(program, "--help", BROKER_URL="amqp://u:hunter2@h/")
    assert (status, err) == (0, "")
    assert f"story-indexer program {program.replace('_', '-')} --" in out.replace(
        "-U amqp://USER:PASSWORD@HOST/ ", ""
    )
    assert "hunter2" not in out


def test_docker_stats_prints_the_values_of_one_report(call: Call) -> None:
    with tempfile.TemporaryDirectory() as folder, docker(Path(folder), [SERVICE]):
        url = f"unix://{folder}/docker.sock"
        status, out, _ = call("docker_stats", "--json", "--stack=prod", DOCKER_HOST=url)
    assert status == 0
    assert {row["name"]: row["value"] for row in map(json.loads, out.splitlines())} == {
        "service.completed": 0,
        "service.desired": 4,
        "service.running": 3,
    }


@pytest.mark.external
def test_rabbitmq_stats_prints_the_values_of_one_report(call: Call, rabbitmq_url: str) -> None:
    status, out, _ = call("rabbitmq_stats", "--json", RABBITMQ_URL=rabbitmq_url)
    assert status == 0
    assert "nodes.memory" in {row["name"] for row in map(json.loads, out.splitlines())}


@each_row(
    ("program", "arguments", "status"),
    [
        ("docker_stats", ["--once", "--docker-url=unix:///no/such.sock"], 1),
        ("docker_stats", ["--once", "--docker-url=ftp://x"], 2),
        ("rabbitmq_stats", ["--once", "-Uamqp://u:hunter2@127.0.0.1:9/"], 1),
        ("rabbitmq_stats", ["--once"], 2),
    ],
)
def test_the_exit_status_shows_the_kind_of_error(
    call: Call, program: str, arguments: list[str], status: int
) -> None:
    ended, out, err = call(program, *arguments)
    assert (ended, out) == (status, "")
    assert "Traceback" not in err
    assert "hunter2" not in err
