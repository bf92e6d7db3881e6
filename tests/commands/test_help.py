"""`--help` of every command teaches: what it does, with an example, and never a secret."""

from collections.abc import Iterator
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner

from indexer.commands import tree
from tests.each_row import each_row

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


ALL = sorted(commands(typer.main.get_command(tree.app)))


@each_row("group", sorted({words[0] for words in ALL if len(words) > 1}))
def test_help_of_a_group_has_examples(group: str) -> None:
    result = CliRunner().invoke(tree.app, [group, "--help"])
    assert f"{group} " in result.output.partition("Example")[2]


def test_the_tools_are_commands() -> None:
    names = {words[0] for words in ALL}
    assert names >= {"run", "search", "extract", "warc", "archives", "qutil", "elastic-conf"}


@each_row("words", ALL)
def test_help_of_a_command_has_an_example_and_no_secret(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    result = CliRunner().invoke(tree.app, [*words, "--help"])
    assert result.exit_code == 0
    assert "Example" in result.output
    called = words[0] if words == ("elastic-conf", "configure") else words[-1]
    assert called in result.output.partition("Example")[2]
    assert SECRET not in result.output
    # typer adds the brackets and the dots.
    assert "[[" not in result.output
    assert "...]" not in result.output
    assert "...}" not in result.output
