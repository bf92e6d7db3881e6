"""The `feeds` command with a database of its own, for tests."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from indexer.commands.feeds.feeds import app
from indexer.database import Database
from tests.commands.entering import Command, Entered
from tests.feeds.new_database import new_feeds


class Feeds:
    """Runs the command on `database`."""

    def __init__(
        self, url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("FEEDS_DATABASE_URL", url)
        monkeypatch.setenv("FETCHER_ALLOW_PRIVATE", "1")
        monkeypatch.setenv("COLUMNS", "250")
        self._command = Command(app, "feeds", monkeypatch, capsys)
        self.database: Database = new_feeds(url)

    def run(self, *arguments: str, status: int = 0) -> Entered:
        """Run it; it must end with that status."""
        return self._command.run(*arguments, status=status)

    def json(self, *arguments: str, status: int = 0) -> list[dict[str, Any]]:
        """The lines of JSON that it prints."""
        printed = self.run(*arguments, "--json", status=status).out
        return [json.loads(line) for line in printed.splitlines()]


@contextmanager
def feeds_command(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Feeds]:
    """The command, with its database in the environment."""
    command = Feeds(url, monkeypatch, capsys)
    yield command
    command.database.close()
