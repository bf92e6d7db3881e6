"""Options classes as parameters of commands."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import pytest
import typer
from pydantic import BeforeValidator, Field, SecretStr
from typer.testing import CliRunner, Result

from indexer.commands.console.parameters import with_options
from indexer.system.options import Options, option


class Colour(StrEnum):
    """A choice."""

    RED = "red"
    BLUE = "blue"


def even(value: str) -> int:
    if int(value) % 2:
        raise ValueError("an odd number")
    return int(value)


class SampleOptions(Options):
    """One option of each kind."""

    url: SecretStr = option(SecretStr(""), "Where.", "SAMPLE_URL", short="u", metavar="URL")
    count: Annotated[int, Field(ge=1, le=9)] = option(5, "How many.", "SAMPLE_COUNT")
    pair: Annotated[int, BeforeValidator(even)] = option(2, "Even.", metavar="EVEN")
    tags: list[str] = option([], "Which.", "SAMPLE_TAGS")
    colour: Colour = option(Colour.RED, "What colour.")
    file: Path | None = option(None, "A file.", metavar="FILE")
    quiet: bool = option(False, "Say less.")
    json_: bool = option(False, "Lines of JSON.")
    look: bool = option(True, "Look first.")


app = typer.Typer(rich_markup_mode="markdown")


@app.command()
@with_options
def sample(name: Annotated[str, typer.Argument()], options: SampleOptions) -> None:
    """A command."""
    shown = options.model_dump(mode="json", exclude={"url"}, exclude_defaults=True)
    print(name, options.url.get_secret_value(), *sorted(shown.items()))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_options_of_a_class_are_options_of_the_command() -> None:
    assert run("me").output == "me \n"
    said = ["-u", "x", "--count", "6", "--pair", "4", "--tags", "a", "--tags", "b", "--colour=blue"]
    said += ["--file", "f", "--quiet", "--json", "--no-look"]
    values = "('colour', 'blue') ('count', 6) ('file', 'f') ('json_', True) ('look', False)"
    values += " ('pair', 4) ('quiet', True) ('tags', ['a', 'b'])"
    assert run("me", *said).output == f"me x {values}\n"


def test_the_command_line_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMPLE_COUNT", "7")
    monkeypatch.setenv("SAMPLE_TAGS", "a b")
    assert run("me").output == "me  ('count', 7) ('tags', ['a', 'b'])\n"
    assert run("me", "--count", "5").output == "me  ('tags', ['a', 'b'])\n"


def test_bad_values_are_usage_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments, said in (
        (["--count", "0"], "--count"),
        (["--pair", "3"], "Invalid value for '--pair': an odd number"),
        (["--colour", "x"], "--colour"),
        (["--no-quiet"], "No such option"),
    ):
        monkeypatch.setenv("COLUMNS", "200")
        ended = run("me", *arguments)
        assert (ended.exit_code, said in ended.output) == (2, True), ended.output


def test_a_bad_value_of_the_environment_is_named_but_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SAMPLE_COUNT", "hunter2")
    ended = run("me")
    assert str(ended.exception).startswith("--count: ")
    assert "hunter2" not in str(ended.exception)


def test_help_shows_variables_and_defaults_but_no_value_from_outside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SAMPLE_URL", "hunter2")
    monkeypatch.setenv("COLUMNS", "200")
    shown = run("--help").output
    for text in ("[env SAMPLE_URL]", "[default: 5]", "EVEN", "FILE", "--no-look", "red|blue"):
        assert text in shown
    assert "hunter2" not in shown
