"""`--help` of every command teaches: what it does, with an example, and never a secret."""

from collections.abc import Iterator
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner

from indexer.commands import main, pipeline

SECRET = "hunter2"

SECRETS = {
    "BROKER_URL": f"amqp://u:{SECRET}@h/",
    "INDEX_URL": f"http://u:{SECRET}@h:9200/",
    "ELASTICSEARCH_HOSTS": f"http://u:{SECRET}@h:9200/",
    "DATABASE_URL": f"postgresql://u:{SECRET}@h/",
}


def commands(group: Any, *words: str) -> Iterator[tuple[str, ...]]:
    """The words of every command of a group, and of those in it."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *words, name)
        elif not command.hidden:
            yield (*words, name)


ALL = sorted(commands(typer.main.get_command(main.app)))


@pytest.mark.parametrize("group", sorted({words[0] for words in ALL if len(words) > 1}))
def test_help_of_a_group_has_examples(group: str) -> None:
    result = CliRunner().invoke(main.app, [group, "--help"])
    assert f"{group} " in result.output.partition("Example")[2]


def test_the_tools_are_commands() -> None:
    names = {words[0] for words in ALL}
    assert names >= {"run", "search", "extract", "warc", "archives", "qutil", "elastic-conf"}


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_help_of_a_command_has_an_example_and_no_secret(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    result = CliRunner().invoke(main.app, [*words, "--help"])
    assert result.exit_code == 0
    assert "Example" in result.output
    assert words[-1].replace("configure", "elastic-conf") in result.output.partition("Example")[2]
    assert SECRET not in result.output


@pytest.mark.parametrize("words", sorted(commands(typer.main.get_command(pipeline.app))), ids=str)
def test_help_of_pipelines_commands_says_what_they_do(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(pipeline.app, [*words, "--help"])
    assert result.exit_code == 0
    assert "Example" in result.output
    assert f"python pipeline.py {words[-1]}" in result.output
