"""What the command `docker` tells of a swarm, and what it is told."""

import threading
from pathlib import Path

import pytest

from indexer.errors import SwarmError
from indexer.stack.swarm import RunningService, StackRecord, Swarm, docker
from tests.stack.fake_docker import FakeDocker

STACK = "services: {mender: {image: 'toys:1', deploy: {replicas: 2}}}"


@pytest.fixture
def engine() -> FakeDocker:
    return FakeDocker()


@pytest.fixture
def swarm(engine: FakeDocker) -> Swarm:
    swarm = Swarm(engine)
    swarm.deploy("toys", STACK, Path("/etc/toys"))
    return swarm


def only(swarm: Swarm) -> RunningService:
    (service,) = swarm.services("toys")
    return service


def test_an_engine_that_manages_no_swarm_is_an_error_that_says_what_to_type(
    engine: FakeDocker, swarm: Swarm
) -> None:
    swarm.check()
    engine.is_manager = False
    with pytest.raises(SwarmError, match="docker swarm init"):
        swarm.check()


def test_a_service_has_settled_when_all_its_containers_run(
    engine: FakeDocker, swarm: Swarm
) -> None:
    assert only(swarm) == RunningService("mender", "toys:1", 2, 2)
    assert only(swarm).settled
    engine.running["toys_mender"] = 1
    assert not only(swarm).settled


def test_a_service_that_ended_by_itself_has_settled(engine: FakeDocker, swarm: Swarm) -> None:
    engine.running["toys_mender"] = 0
    engine.tasks["toys_mender"] = ("Complete 3 minutes ago", "")
    assert only(swarm).ended
    assert only(swarm).settled


def test_the_reason_why_a_container_does_not_start_is_told(
    engine: FakeDocker, swarm: Swarm
) -> None:
    engine.running["toys_mender"] = 0
    engine.tasks["toys_mender"] = ("Failed 1 second ago", "task: non-zero exit (2)")
    assert only(swarm).why == "task: non-zero exit (2)"
    assert not only(swarm).settled


def test_an_update_that_was_rolled_back_is_a_failure(engine: FakeDocker, swarm: Swarm) -> None:
    engine.update["toys_mender"] = ("rollback_completed", "update rolled back due to failure")
    assert only(swarm).why == "update rolled back due to failure"
    engine.update["toys_mender"] = ("completed", "update completed")
    assert only(swarm).settled


def test_records_are_kept_by_the_swarm_the_newest_first(swarm: Swarm) -> None:
    for tag in ("2026-01-02", "2026-01-01"):
        swarm.record("toys", StackRecord(tag, f"of {tag} é"))
    swarm.record("others", StackRecord("2026-01-03", ""))
    assert swarm.records("toys") == ["2026-01-02", "2026-01-01"]
    assert swarm.recorded("toys", "2026-01-01").text == "of 2026-01-01 é"


def test_a_stack_is_removed_with_its_records_and_its_last_container(
    engine: FakeDocker, swarm: Swarm
) -> None:
    swarm.record("toys", StackRecord("1", ""))
    engine.ending = [[]]
    assert swarm.remove("toys", volumes=True, stop=threading.Event())
    assert engine.stacks == {}
    assert engine.configs == {}
    assert engine.removed == ["toys_data"]


def test_a_removal_does_not_wait_after_a_stop(engine: FakeDocker, swarm: Swarm) -> None:
    stop = threading.Event()
    stop.set()
    engine.ending = [["abc"], ["abc"]]
    assert not swarm.remove("toys", volumes=False, stop=stop)


def test_the_reason_of_the_command_is_the_last_line_of_its_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SwarmError, match="no command `docker` here"):
        docker(["info"])
    program = tmp_path / "docker"
    program.write_text("#!/bin/sh\necho warning >&2\necho 'no such stack' >&2\nexit 1\n")
    program.chmod(0o755)
    with pytest.raises(SwarmError, match="docker stack: no such stack"):
        docker(["stack", "rm", "toys"])
    program.write_text("#!/bin/sh\npwd\n")
    assert docker(["info"], b"", tmp_path) == f"{tmp_path}\n"
