"""What is checked before a deployment."""

from pathlib import Path
from typing import Any

import pytest
import requests

from indexer.commands.stacks import checks
from indexer.commands.stacks.checks import (
    Check,
    configuration_checks,
    registry_check,
    registry_of,
    server_checks,
    tree_checks,
)
from indexer.commands.stacks.composing import StackOptions
from indexer.commands.stacks.stack_plans import stack_plan
from indexer.stack.plan import StackPlan
from tests.each_row import each_row
from tests.paths import ROOT

SETTINGS = """\
BROKER_URL_FILE=broker
ARCHIVE_URL=/data/archive
INDEX_URL=sqlite:////data/index.sqlite3
"""


def plan(folder: Path, text: str = SETTINGS, realm: str = "prod") -> StackPlan:
    config = folder / "settings.env"
    config.write_text(text)
    return stack_plan(StackOptions(config=config, realm=realm, inputs=["http://site.example/feed"]))


def failed(found: Any) -> dict[str, str]:
    return {check.name: check.why for check in found if check.why}


def test_a_complete_configuration_passes(tmp_path: Path) -> None:
    (tmp_path / "broker").write_text("amqp://user:sentinel@rabbitmq/\n")
    (tmp_path / "broker").chmod(0o640)
    assert failed(configuration_checks(plan(tmp_path))) == {}


def test_a_missing_an_empty_and_a_public_secret_are_told(tmp_path: Path) -> None:
    given = plan(tmp_path)
    assert "No such file" in failed(configuration_checks(given))["secret BROKER_URL"]
    (tmp_path / "broker").write_text("\n")
    assert "is empty" in failed(configuration_checks(given))["secret BROKER_URL"]
    (tmp_path / "broker").write_text("amqp://user:sentinel@rabbitmq/")
    (tmp_path / "broker").chmod(0o644)
    assert "chmod o=" in failed(configuration_checks(given))["secret BROKER_URL"]
    assert failed(configuration_checks(plan(tmp_path, realm="staging"))) == {}


def test_a_value_that_a_program_would_refuse_is_told_with_the_program(tmp_path: Path) -> None:
    (tmp_path / "broker").write_text("amqp://user:sentinel@rabbitmq/")
    found = failed(configuration_checks(plan(tmp_path, SETTINGS + "WORKER_THREADS=many\n")))
    assert "--threads" in found["settings of parser"]
    assert "sentinel" not in str(found)


@each_row(
    ("image", "host"),
    [
        ("story-indexer", ""),
        ("story-indexer:1", ""),
        ("library/story-indexer", ""),
        ("registry.example/indexer:1", "registry.example"),
        ("localhost:5000/indexer", "localhost:5000"),
        ("localhost/indexer", "localhost"),
    ],
)
def test_the_registry_is_in_the_name_of_an_image(image: str, host: str) -> None:
    assert registry_of(image) == host


@each_row(("status", "why"), [(200, ""), (401, ""), (503, "registry.example answers 503")])
def test_a_registry_that_asks_for_a_login_is_there(
    monkeypatch: pytest.MonkeyPatch, status: int, why: str
) -> None:
    answer = requests.Response()
    answer.status_code = status
    monkeypatch.setattr(requests, "get", lambda *_, **__: answer)
    assert registry_check("registry.example/indexer").why == why


def test_a_registry_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise requests.ConnectionError("refused")

    monkeypatch.setattr(requests, "get", refuse)
    assert "does not answer" in registry_check("registry.example/indexer").why
    assert registry_check("story-indexer").note


def test_servers_in_the_stack_are_not_asked_and_others_are(tmp_path: Path) -> None:
    (tmp_path / "broker").write_text("amqp://user:sentinel@rabbitmq/")
    found = {check.name: check for check in server_checks(plan(tmp_path))}
    assert found["BROKER_URL"] == Check("BROKER_URL", note="in the stack, which prepares it")
    (tmp_path / "broker").write_text("amqp://user:sentinel@127.0.0.1:1/")
    found = {check.name: check for check in server_checks(plan(tmp_path))}
    assert found["BROKER_URL"].why
    assert "sentinel" not in found["BROKER_URL"].why


def test_a_broker_outside_tells_what_configure_will_make(tmp_path: Path) -> None:
    (tmp_path / "broker").write_text(f"sqlite://127.0.0.1/{tmp_path}/queues.sqlite3")
    given = plan(tmp_path)
    check = checks._broker_check(given, f"sqlite:///{tmp_path}/queues.sqlite3")
    assert not check.why
    assert "things to make" in check.note


def test_the_tree_has_to_be_committed_and_pushed(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {"status": " M pipeline.py\n", "branch": ""}
    monkeypatch.setattr(checks, "_git", lambda _, what, *__: answers[what])
    assert failed(tree_checks(ROOT, allow_dirty=False)) == {
        "clean tree": "1 files are not committed: pipeline.py …",
        "pushed commit": "this commit is on no branch of a remote: push it",
    }
    assert failed(tree_checks(ROOT, allow_dirty=True)) == {}
    answers.update(status="", branch="  origin/prod\n")
    assert failed(tree_checks(ROOT, allow_dirty=False)) == {}
