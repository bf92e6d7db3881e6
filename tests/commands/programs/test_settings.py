"""`story-indexer settings`: what programs are set to, and by whom."""

import json

import pytest

from indexer.commands import tree
from tests.commands.entering import Command


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(tree.app, "story-indexer", monkeypatch, capsys)


def test_each_setting_has_its_value_and_its_origin(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAX_RETRIES", "7")
    monkeypatch.setenv("ARCHIVE_URL", "'/srv/my news' s3://key:hunter2@bucket/x")
    monkeypatch.setenv("RABBITMQ_URL", "amqp://me:hunter2@host/")
    out = command.run("settings", "archiver", "--json").out
    rows = {row["variables"][0]: row for row in map(json.loads, out.splitlines())}
    shown = {name: (row["value"], row["origin"]) for name, row in rows.items()}
    assert shown["MAX_RETRIES"] == ("7", "env MAX_RETRIES")
    assert shown["ARCHIVER_PREFIX"] == ("mc", "default")
    assert shown["ARCHIVE_URL"] == ("'/srv/my news' s3://bucket/x", "env ARCHIVE_URL")
    assert shown["BROKER_URL"] == ("(secret)", "env RABBITMQ_URL")
    assert "hunter2" not in out


def test_all_programs_are_listed_without_a_name(command: Command) -> None:
    lines = command.run("settings").out.splitlines()
    (retries,) = [line for line in lines if line.split()[0] == "MAX_RETRIES"]
    assert "default" in retries
    assert "parser" in retries
    assert "importer" in retries


def test_a_bad_value_names_the_program(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAX_RETRIES", "many")
    assert "parser: --max-retries: " in command.run("settings", "parser", status=2).err
