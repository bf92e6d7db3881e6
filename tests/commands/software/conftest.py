"""A project with metadata files, and the commands of software."""

import json
from pathlib import Path

import pytest

from indexer.commands import tree
from tests.commands.entering import Command

NPM = {
    "name": "tides",
    "version": "1.2.0",
    "description": "Predicts tides",
    "homepage": "https://tides.example/",
    "keywords": ["sea", "tide"],
    "bugs": {"url": "https://tides.example/bugs"},
    "scripts": {"test": "make"},
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A directory with a package.json."""
    folder = tmp_path / "tides"
    folder.mkdir()
    (folder / "package.json").write_text(json.dumps(NPM, indent=2))
    (folder / "README.md").write_text("# Tides")
    return folder


@pytest.fixture
def story_indexer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command `story-indexer`."""
    return Command(tree.app, "story-indexer", monkeypatch, capsys)
