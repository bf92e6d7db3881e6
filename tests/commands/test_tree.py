"""Options of `story-indexer` itself."""

import pytest
import typer.main
from typer.testing import CliRunner

from indexer.commands.tree import COMMANDS, app
from tests.each_row import each_row


@each_row("arguments", [["-h"], ["search", "-h"], ["qutil", "-h"], ["qutil", "list", "-h"]])
def test_h_shows_the_help(arguments: list[str]) -> None:
    long = [each.replace("-h", "--help") for each in arguments]
    shown = CliRunner().invoke(app, arguments)
    assert (shown.exit_code, shown.output) == (0, CliRunner().invoke(app, long).output)


def test_the_version_is_one_line() -> None:
    shown = CliRunner().invoke(app, ["--version"])
    assert shown.exit_code == 0
    name, version = shown.output.split()
    assert name == "story-indexer"
    assert version[0].isdigit()


def test_a_misspelt_command_is_an_error_with_a_similar_name() -> None:
    shown = CliRunner().invoke(app, ["serch"])
    assert shown.exit_code == 2
    assert "'search'" in shown.output


def test_a_shell_completes_the_names_of_commands_without_importing_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("indexer.commands.console.groups._load", lambda *_: pytest.fail("imported"))
    monkeypatch.setenv("_STORY_INDEXER_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "story-indexer ")
    monkeypatch.setenv("COMP_CWORD", "1")
    with pytest.raises(SystemExit):
        typer.main.get_command(app)(prog_name="story-indexer")
    assert capsys.readouterr().out.split() == list(COMMANDS)
