"""`story-indexer config check`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from indexer.commands.tree import app
from tests.paths import ROOT


def check(*words: str) -> tuple[int, str]:
    """Exit status and output."""
    result = CliRunner().invoke(app, ["config", "check", *words])
    return result.exit_code, result.output


def test_the_configuration_of_developers_is_complete() -> None:
    status, out = check(str(ROOT / "docker/dev.env"))
    assert status == 0, out
    assert " 0 failed" in out


def test_secrets_are_missing_from_the_example_of_production() -> None:
    status, out = check(str(ROOT / "docker/prod.example.env"), "--realm", "prod")
    assert status == 1
    assert "FAILED  secret BROKER_URL" in out
    assert "not checked: they need all secrets" in out


def test_each_setting_has_its_value_its_origin_and_its_programs_and_no_secret(
    tmp_path: Path,
) -> None:
    (tmp_path / "broker").write_text("amqp://user:sentinel@rabbitmq/")
    file = tmp_path / "my.env"
    file.write_text(
        "BROKER_URL_FILE=broker\nRSS_FETCHER_URL=http://user:sentinel@x.example\n"
        "RSS_FETCHER_PASS=sentinel\n"
    )
    status, out = check(str(file), "--json")
    assert status == 0, out
    rows = {row["name"]: row for row in map(json.loads, out.splitlines())}
    assert rows["RSS_FETCHER_URL"]["value"] == "http://x.example"
    assert rows["RSS_FETCHER_URL"]["origin"] == str(file)
    assert rows["RSS_FETCHER_URL"]["programs"] == ["rss-puller"]
    assert rows["BROKER_URL"]["origin"] == str(tmp_path / "broker")
    assert "sentinel" not in out


def test_without_a_file_the_environment_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROKER_URL", "amqp://user:sentinel@127.0.0.1:1/")
    monkeypatch.setenv("PARSER_MIN_TEXT", "many")
    monkeypatch.setenv("HOMEPAGE", "of another program")
    status, out = check("--type", "csv", "--servers")
    assert status == 1
    assert "FAILED  settings of parser" in out
    assert "FAILED  BROKER_URL" in out
    assert "HOMEPAGE" not in out
    assert "sentinel" not in out
