"""`docker/deploy`, with a stand-in for Docker."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from indexer.commands.stacks import deploying
from indexer.commands.stacks.checks import Check
from indexer.errors import ConfigurationError, SwarmError
from indexer.stack.swarm import Swarm
from tests.paths import ROOT
from tests.stack.fake_docker import FakeDocker

FEED = "http://site.example/feed"
BUILT: list[str] = []


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeDocker:
    engine = FakeDocker()
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(deploying, "Swarm", lambda: Swarm(engine))
    monkeypatch.setattr(deploying, "_build", lambda plan, **_: BUILT.append(plan.image))
    monkeypatch.setattr(deploying, "tree_checks", lambda *_, **__: [])
    monkeypatch.setattr(deploying, "configuration_checks", lambda _: [])
    BUILT.clear()
    return engine


def deploy(*words: str, status: int = 0, input: str = "") -> str:
    """The output of a command."""
    result = CliRunner().invoke(deploying.app, [*words], input=input)
    if status == 0 and result.exception:
        raise result.exception
    assert result.exit_code == status, result.output
    return result.output


def test_a_dry_run_prints_the_difference_and_deploys_nothing(engine: FakeDocker) -> None:
    out = deploy("up", FEED, "--dry-run")
    assert "+++ this deployment" in out
    assert "+  parser:" in out
    assert engine.stacks == {}
    assert BUILT == []


def test_a_deployment_builds_an_image_with_a_tag_of_its_own(engine: FakeDocker) -> None:
    deploy("up", FEED, "--wait", "0")
    services = engine.stacks["queue-fetcher-dev"]["services"]
    assert [services["parser"]["image"]] == BUILT
    assert BUILT[0].startswith("story-indexer:20")
    deployment = services["parser"]["environment"]["DEPLOYMENT_ID"]
    assert deployment.startswith("mc-configuration-20")
    assert deployment.endswith("-queue-fetcher-dev")
    # Paths in the stack file are relative to the configuration.
    assert Path("docker") in engine.folders


def test_a_failed_check_stops_a_deployment_unless_it_is_skipped(
    engine: FakeDocker, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = Check("registry", "registry.example does not answer")
    monkeypatch.setattr(deploying, "registry_check", lambda _: check)
    with pytest.raises(SwarmError, match="not deployed"):
        deploy("up", FEED, "--wait", "0")
    assert engine.stacks == {}
    out = deploy("up", FEED, "--wait", "0", "--skip", "registry")
    assert engine.stacks
    assert "skipped  registry: registry.example does not answer" in out


def test_a_dirty_tree_is_not_for_staging_and_prod(engine: FakeDocker) -> None:
    with pytest.raises(ConfigurationError, match="--allow-dirty is not for staging"):
        deploy("up", FEED, "--realm", "staging", "--allow-dirty")


def test_production_asks_and_tags_the_commit(
    engine: FakeDocker, monkeypatch: pytest.MonkeyPatch
) -> None:
    tags: list[str] = []
    monkeypatch.setattr(deploying, "_git_tag", tags.append)
    monkeypatch.setattr(deploying, "server_checks", lambda _: [])
    given = ("up", FEED, "--realm", "prod", "--config", "docker/prod.example.env", "--wait", "0")
    with pytest.raises(ConfigurationError, match="no terminal to ask"):
        deploy(*given)
    assert engine.stacks == {}
    assert tags == []
    deploy(*given, "--yes")
    assert engine.stacks
    assert tags[0].endswith("-queue-fetcher-prod")


def test_status_tells_what_does_not_run(engine: FakeDocker) -> None:
    with pytest.raises(SwarmError, match="queue-fetcher-dev is not deployed"):
        deploy("status")
    deploy("up", FEED, "--wait", "0")
    assert "parser  4 of 4" in deploy("status")
    engine.running["queue-fetcher-dev_parser"] = 3
    engine.tasks["queue-fetcher-dev_parser"] = ("Rejected 1 second ago", "No such image")
    out = deploy("status", status=1)
    assert "parser  3 of 4" in out
    assert "No such image" in out
    assert '"settled": false' in deploy("status", "--json", status=1)


def test_two_flavors_are_two_stacks_with_ports_of_their_own(engine: FakeDocker) -> None:
    deploy("up", FEED, "--wait", "0")
    deploy("up", FEED, "--type", "csv", "--wait", "0")
    assert [*engine.stacks] == ["queue-fetcher-dev", "csv-dev"]
    ports = [
        {port["published"] for each in stack["services"].values() for port in each.get("ports", ())}
        for stack in engine.stacks.values()
    ]
    assert not ports[0] & ports[1]


def test_a_stack_is_removed_after_a_question(engine: FakeDocker) -> None:
    deploy("up", FEED, "--wait", "0")
    with pytest.raises(ConfigurationError, match="no terminal to ask"):
        deploy("remove")
    assert "queue-fetcher-dev: removed" in deploy("remove", "--yes")
    assert engine.stacks == {}


def test_a_rollback_names_the_deployment_it_returns_to(
    engine: FakeDocker, monkeypatch: pytest.MonkeyPatch
) -> None:
    deploy("up", FEED, "--wait", "0")
    (first,) = Swarm(engine).records("queue-fetcher-dev")
    engine.configs = {f"queue-fetcher-dev-{n}": v for n, v in enumerate(engine.configs.values())}
    deploy("up", FEED, "--wait", "0")
    assert "queue-fetcher-dev: back to 0" in deploy("rollback", "--yes", "--wait", "0")
    image = engine.stacks["queue-fetcher-dev"]["services"]["parser"]["image"]
    assert image == f"story-indexer:{first}"
