"""Releases of a stack: deployed, compared, waited for, taken back."""

import itertools
import threading
from pathlib import Path

import pytest
import yaml

from indexer.errors import SwarmError
from indexer.stack.compose import render
from indexer.stack.releases import KEPT, differences, release, take_back, wait
from indexer.stack.swarm import RunningService, StackRecord, Swarm
from tests.stack.fake_docker import FakeDocker
from tests.stack.plans import plan_of

NAME = "toys-prod"


@pytest.fixture
def engine() -> FakeDocker:
    return FakeDocker()


def deploy(engine: FakeDocker, tag: str) -> str:
    text = render(plan_of(image=f"toys:{tag}"), "a comment")
    release(Swarm(engine), NAME, StackRecord(tag, text), Path("/etc/toys"))
    return text


def image(engine: FakeDocker) -> str:
    found: str = engine.stacks[NAME]["services"]["mender"]["image"]
    return found


def test_the_difference_to_the_last_deployment_is_shown(engine: FakeDocker) -> None:
    text = deploy(engine, "1")
    assert [*differences(Swarm(engine), NAME, text)] == []
    lines = [*differences(Swarm(engine), NAME, text.replace("replicas: 9", "replicas: 3"))]
    assert lines[:2] == ["--- 1", "+++ this deployment"]
    assert [line for line in lines[2:] if line[0] in "+-"] == [
        "-      replicas: 9",
        "+      replicas: 3",
    ]


def test_before_the_first_deployment_all_is_different(engine: FakeDocker) -> None:
    assert [*differences(Swarm(engine), NAME, "a\n")][:2] == ["--- nothing", "+++ this deployment"]


def test_a_rollback_deploys_the_stack_before_with_the_secrets_that_the_swarm_has(
    engine: FakeDocker,
) -> None:
    deploy(engine, "1")
    deploy(engine, "2")
    assert image(engine) == "toys:2"
    assert take_back(Swarm(engine), NAME, "3").tag == "1"
    assert image(engine) == "toys:1"
    assert engine.stacks[NAME]["secrets"]["broker_url"] == {
        "external": True,
        "name": "toys-prod-broker_url",
    }
    assert Swarm(engine).records(NAME) == ["3", "2", "1"]
    assert yaml.safe_load(Swarm(engine).recorded(NAME, "3").text) == engine.stacks[NAME]


def test_there_is_nothing_to_return_to_after_one_deployment(engine: FakeDocker) -> None:
    deploy(engine, "1")
    with pytest.raises(SwarmError, match="nothing to return to"):
        take_back(Swarm(engine), NAME, "2")


def test_only_the_last_stack_files_are_kept(engine: FakeDocker) -> None:
    for number in range(KEPT + 2):
        deploy(engine, f"{number:02}")
    assert Swarm(engine).records(NAME) == [f"{n:02}" for n in range(KEPT + 1, 1, -1)]


def test_waiting_ends_when_all_services_stay_settled(engine: FakeDocker) -> None:
    deploy(engine, "1")
    engine.running[f"{NAME}_mender"] = 0
    told: list[list[RunningService]] = []

    def tell(services: list[RunningService]) -> None:
        told.append(services)
        if len(told) == 3:
            engine.running.clear()

    clock = itertools.count(0, 4).__next__
    assert wait(Swarm(engine), NAME, 100, _NoWaiting(), tell, clock) == []
    assert len(told) > 4, "it has to stay so for some time"


def test_waiting_returns_what_has_not_settled_in_time(engine: FakeDocker) -> None:
    deploy(engine, "1")
    engine.running[f"{NAME}_mender"] = 4
    clock = itertools.count(0, 40).__next__
    (late,) = wait(Swarm(engine), NAME, 100, _NoWaiting(), lambda _: None, clock)
    assert (late.name, late.running, late.desired) == ("mender", 4, 9)


class _NoWaiting(threading.Event):
    def wait(self, timeout: float | None = None) -> bool:
        return False
