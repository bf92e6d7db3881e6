"""`story-indexer program`: programs by their names, with their own options."""

import pytest

from indexer.commands import tree
from tests.commands.entering import Command


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(tree.app, "story-indexer", monkeypatch, capsys)


def test_a_program_has_its_own_options_and_help(command: Command) -> None:
    out = command.run("program", "fetcher", "--help").out
    assert out.startswith("usage: story-indexer program fetcher ")
    assert "--contact-url" in out


def test_the_status_of_a_program_is_that_of_the_command(command: Command) -> None:
    assert "no such option: --nope" in command.run("program", "parser", "--nope", status=2).err
    assert "no program parsr" in command.run("program", "parsr", status=2).err


def test_without_a_name_the_programs_are_listed(command: Command) -> None:
    assert {"parser", "feeds.api", "tqfetcher"} <= set(command.run("program").out.split())
    assert "program parser --help" in command.run("program", "--help").out
