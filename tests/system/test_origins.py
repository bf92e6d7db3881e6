"""The origin of each value of a program's settings."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import SecretStr

from indexer.system.options import CommandLine, Options, option, option_classes
from indexer.system.origins import settings, variables


class Own(Options):
    """Options of a program."""

    count: int = option(5, "how many", "OWN_COUNT", "OLD_COUNT")
    words: list[str] = option([], "which", "OWN_WORDS")
    key: SecretStr = option(SecretStr(""), "its key", "OWN_KEY")


class Loop(Options):
    """Options of its loop, which has another default."""

    count: int = option(1, "how many", "LOOP_COUNT")
    idle: bool = option(False, "do nothing")


def main(arguments: Sequence[str] | None = None) -> int:
    """A program that reads both, and does something."""
    CommandLine("own", "A program.", [Own, Loop], arguments)
    raise AssertionError("it runs")


def test_a_program_tells_its_classes_of_options_without_running() -> None:
    assert list(option_classes(main)) == [Own, Loop]
    assert list(option_classes(main)) == [Own, Loop]


def test_the_first_class_of_a_program_decides(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("hunter2")
    given = {"OLD_COUNT": "7", "OWN_WORDS": "a 'b c'", "OWN_KEY_FILE": str(tmp_path / "key")}
    found = {each.definition.name: each[1:] for each in settings([Own, Loop], given)}
    assert found == {
        "count": ("7", "env OLD_COUNT"),
        "words": ("a 'b c'", "env OWN_WORDS"),
        "key": ("(secret)", "file OWN_KEY_FILE"),
        "idle": ("false", "default"),
    }


def test_a_variable_counts_before_the_file() -> None:
    given = {"OWN_COUNT": "6", "OWN_COUNT_FILE": "/nowhere", "OWN_KEY": ""}
    found = {each.definition.name: each[1:] for each in settings([Own], {"OWN_COUNT": "6"})}
    assert found["count"] == ("6", "env OWN_COUNT")
    assert found["key"] == ("", "default")
    assert variables([Own, Loop]) > set(given)
