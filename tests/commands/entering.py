"""A command as the shell sees it: what it prints, and its exit status."""

import sys
from dataclasses import dataclass
from functools import cache

import pytest
import typer.main

from indexer.commands.console.entering import enter

_get_command = cache(typer.main.get_command)
"""Typer makes all commands of a group anew for each run, which takes longer than most of them."""


@dataclass(frozen=True)
class Entered:
    """What a command printed."""

    out: str
    err: str


@dataclass(frozen=True)
class Command:
    """A command, to be run in a test."""

    app: typer.Typer
    name: str
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def run(self, *arguments: str, status: int = 0) -> Entered:
        """Run it; it must end with that status."""
        self.monkeypatch.setattr(sys, "argv", [self.name, *arguments])
        self.monkeypatch.setattr(typer.main, "get_command", _get_command)
        with pytest.raises(SystemExit) as ended:
            enter(self.app, self.name)
        printed = Entered(*self.capsys.readouterr())
        assert (ended.value.code or 0) == status, printed
        return printed
