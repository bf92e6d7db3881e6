"""Stack files in `docker/`, and those of all flavors."""

import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from indexer.commands.pipeline import app
from pipeline import PIPELINES
from tests.commands.stacks.test_composing import COMMITTED, DOCKER
from tests.each_row import each_row
from tests.paths import ROOT


def invoke(*arguments: str) -> tuple[int, str]:
    """Exit status and output of `compose`."""
    result = CliRunner().invoke(app, ["compose", *arguments])
    return result.exit_code, result.output


@each_row("name", COMMITTED)
def test_a_committed_stack_file_is_what_its_first_line_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(ROOT)
    text = (DOCKER / name).read_text()
    words = shlex.split(text.partition("\n")[0].removeprefix("# python pipeline.py compose"))
    status, out = invoke(*words)
    assert status == 0, out
    assert out == text, f"run the command in its first line, with --output docker/{name}"


@each_row("flavor", [pipeline.name for pipeline in PIPELINES])
def test_every_flavor_has_a_stack_in_every_realm(
    monkeypatch: pytest.MonkeyPatch, flavor: str
) -> None:
    monkeypatch.chdir(ROOT)
    for realm in ("prod", "staging", "dev"):
        config = "docker/prod.example.env" if realm == "prod" else "docker/dev.env"
        given = ("--type", flavor, "--realm", realm, "--config", config)
        status, out = invoke(*given, "s3://bucket/inputs/")
        assert status == 0, out
        services: dict[str, Any] = yaml.safe_load(out)["services"]
        steps = next(each for each in PIPELINES if each.name == flavor).steps
        # A server that is not configured, and a setting that is off.
        assert {step.name for step in steps} - {*services} <= {"rss-puller", "drop-archiver"}
