"""The gauges of a swarm's services."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from indexer.errors import ConfigurationError, InputError
from indexer.metrics import attached
from indexer.metrics.snapshot import Snapshot
from tests.each_row import each_row
from tests.paths import DATA
from tests.workers.operations.fake_docker import docker
from workers.operations.docker_stats import DockerStats, DockerStatsOptions

RECORDED = DATA / "operations" / "services.json"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short name: paths of UNIX sockets are limited to 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="docker") as name:
        yield Path(name)


def at(url: str, stack: str = "") -> DockerStats:
    return DockerStats(DockerStatsOptions(docker_url=url, stack=stack))


def services(folder: Path, stack: str = "") -> DockerStats:
    return at(f"unix://{folder}/docker.sock", stack)


def numbers(looked_at: DockerStats) -> dict[tuple[str, str], float]:
    """The gauges, by name and service."""
    snapshot = Snapshot()
    with attached(snapshot):
        looked_at.tick()
    return {(row["name"], row["labels"]["name"]): row["value"] for row in snapshot.rows()}


def test_a_recorded_answer_is_the_gauges_that_dashboards_have(folder: Path) -> None:
    with docker(folder, json.loads(RECORDED.read_text(encoding="utf-8"))) as server:
        assert numbers(services(folder, "prod-indexer")) == {
            ("service.running", "parser"): 3,
            ("service.desired", "parser"): 4,
            ("service.completed", "parser"): 0,
            ("service.running", "es-setup"): 0,
            ("service.desired", "es-setup"): 0,
            ("service.completed", "es-setup"): 1,
        }
    asked = server.asked[0]
    assert json.loads(asked["filters"][0]) == {"label": ["com.docker.stack.namespace=prod-indexer"]}
    assert asked["status"] == ["True"]


def test_without_a_stack_all_services_have_their_whole_names(folder: Path) -> None:
    with docker(folder, json.loads(RECORDED.read_text(encoding="utf-8"))) as server:
        found = numbers(services(folder))
    assert ("service.running", "prod-indexer_parser") in found
    assert "filters" not in server.asked[0]


@pytest.mark.parametrize(
    ("answer", "status", "version"),
    [
        ({"message": "this node is not a swarm manager"}, 503, "1.47"),
        ({"message": "x"}, 500, "1.47"),
        (b"{", 200, "1.47"),
        ({"services": []}, 200, "1.47"),
        ([{"Spec": {"Name": 3}}], 200, "1.47"),
        ([{"Spec": {"Name": "x"}}], 200, "1.47"),
        ([], 200, "1.40"),
    ],
)
def test_a_docker_that_can_not_tell_is_an_error(
    folder: Path, answer: Any, status: int, version: str
) -> None:
    with (
        docker(folder, answer, status, version),
        pytest.raises(InputError, match="Docker at unix:"),
    ):
        services(folder).tick()


def test_no_docker_is_an_error(folder: Path) -> None:
    with pytest.raises(InputError, match="Docker at unix:"):
        services(folder).tick()


@each_row(
    "url",
    [
        "tcp://user:hunter2@127.0.0.1:9",
        "http://hunter2@127.0.0.1:9",
        "https://user:hunter2@127.0.0.1:9/?token=hunter2",
        "tcp://user:hunter2@[127.0.0.1:9",
        "tcp://hunter2@127.0.0.1\\x:9",
    ],
)
def test_an_error_has_no_credentials(url: str) -> None:
    with pytest.raises(InputError, match=r"Docker at (tcp|https?)://\[?127") as raised:
        at(url).tick()
    assert "hunter2" not in str(raised.value)


@each_row("url", ["", "/var/run/docker.sock", "ssh://host", "npipe://x"])
def test_another_kind_of_url_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError, match="--docker-url"):
        at(url)
