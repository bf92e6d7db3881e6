"""The `filesets` command in an empty directory, and a small Zenodo."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from indexer.commands.filesets.filesets import app
from newsroom.repositories.server import Repositories
from tests.commands.entering import Command, Entered
from tests.filesets.zenodo_server import ZenodoServer


@pytest.fixture
def zenodo(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> ZenodoServer:
    server = ZenodoServer(httpserver)
    for name, value in server.settings.items():
        monkeypatch.setenv(name, value)
    return server


class Filesets:
    """Runs the command in an empty directory."""

    def __init__(self, root: Path, command: Command) -> None:
        self.items = root / "items"
        self.results = root / "data" / "fileset-results"
        self._command = command

    def run(self, *arguments: str, status: int = 0) -> Entered:
        return self._command.run(*arguments, status=status)

    def ingest(self, *inputs: str, status: int = 0) -> list[dict[str, Any]]:
        printed = self.run("ingest", *inputs, "--to", str(self.items), status=status).out
        return [json.loads(line) for line in printed.splitlines()]


@pytest.fixture
def filesets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Filesets:
    monkeypatch.setenv("DATAROOT", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "250")
    return Filesets(tmp_path, Command(app, "filesets", monkeypatch, capsys))


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Repositories]:
    """Imitation repositories, which the command finds."""
    with Repositories() as repositories:
        for name, value in repositories.settings.items():
            monkeypatch.setenv(name, value)
        yield repositories
