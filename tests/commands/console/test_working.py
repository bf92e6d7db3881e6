"""The line that says how far a command is makes way for what is printed."""

import io
import sys

import pytest
from rich.console import Console

from indexer.commands.console.working import Working


class Terminal(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_is_told_how_far_it_is() -> None:
    screen = Terminal()
    with Working(Console(file=screen, force_terminal=True, width=60)) as working:
        working.at("3 of 7 archives")
    assert "3 of 7 archives" in screen.getvalue()


def test_nothing_else_is_told_anything() -> None:
    file = io.StringIO()
    with Working(Console(file=file)) as working:
        working.at("3 of 7 archives")
    assert file.getvalue() == ""


def test_what_is_printed_goes_to_standard_output_and_to_nothing_else(
    capsys: pytest.CaptureFixture[str],
) -> None:
    screen = Terminal()
    with Working(Console(file=screen, force_terminal=True, width=20)) as working:
        working.print("a line that is longer than the terminal is wide")
    assert capsys.readouterr().out == "a line that is longer than the terminal is wide\n"
    assert "a line" not in screen.getvalue()


def test_on_one_terminal_the_line_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    with Working(Console(file=screen, force_terminal=True, width=60)) as working:
        working.at("3 of 7 archives")
        working.print("found it")
        working.at("4 of 7 archives")
    assert "found it\n" in screen.getvalue()
    assert "4 of 7 archives" in screen.getvalue().partition("found it\n")[2]
