"""`docker-compose up`: the developer's stack without a swarm."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.testing

from indexer.commands.pipeline import app
from newsroom.expected import expected
from scripts.docker import image
from scripts.docker.client import Client
from tests.docker.stack import stack_file, until

pytestmark = pytest.mark.timeout(1200)

COMPOSE = "/usr/bin/docker-compose"
PROJECT = "compose"


@pytest.fixture
def file(client: Client, tmp_path: Path) -> Iterator[Path]:
    """The file, with the images that there are; its containers are removed at the end."""
    image.build(client, "latest", "latest")

    def compose(options: object) -> None:
        done = typer.testing.CliRunner().invoke(app, ["compose", "--sample", *options])  # type: ignore[misc]  # words
        assert done.exit_code == 0, done.output

    file = stack_file(tmp_path / "compose", compose)
    yield file
    docker_compose(client, file, "down", "--volumes")


def docker_compose(client: Client, file: Path, *words: str) -> None:
    command = [COMPOSE, "--project-name", PROJECT, "--file", str(file), *words]
    environment = {"DOCKER_HOST": client.host, "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_sample_stories_are_indexed_with_all_services_healthy(
    client: Client, file: Path
) -> None:
    docker_compose(client, file, "up", "--detach", "--no-build")

    def unwell() -> str:
        label = f"--filter=label=com.docker.compose.project={PROJECT}"
        shown = client.run("ps", "--all", label, "--format={{.Names}} {{.Status}}").splitlines()
        bad = ("starting", "unhealthy", "Restarting", "Exited (1", "Exited (2")
        return "\n".join(line for line in shown if any(word in line for word in bad))

    def indexed() -> int:
        words = ("story-indexer", "search", "--all", "--format=jsonl")
        found = client.run("exec", f"{PROJECT}_importer_1", *words)
        return len({json.loads(line)["id"] for line in found.splitlines()})

    until(lambda: not unwell(), "all containers are well", unwell)
    until(lambda: indexed() >= len(expected().documents) // 2, "stories are indexed", unwell)
