"""`software translate` of git repositories: the files of a clone, the head of a bare repository."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.commands.entering import Command
from tests.commands.software.conftest import NPM

pytest.importorskip("pygit2")


def git(folder: Path, *arguments: str) -> None:
    author = ("-c", "user.name=A", "-c", "user.email=a@x.example")
    subprocess.run(["git", *author, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def clone(project: Path) -> Path:
    """A clone with one revision."""
    git(project, "init", "--initial-branch=main")
    git(project, "add", ".")
    git(project, "commit", "-m", "first")
    return project


def test_the_head_of_a_bare_repository_counts(story_indexer: Command, clone: Path) -> None:
    bare = clone.parent / "tides.git"
    git(clone.parent, "clone", "--bare", str(clone), str(bare))
    found = json.loads(story_indexer.run("software", "translate", str(bare)).out)
    assert found["version"] == NPM["version"]


def test_the_files_of_a_clone_count_as_they_are_now(story_indexer: Command, clone: Path) -> None:
    (clone / "package.json").write_text(json.dumps({**NPM, "version": "9"}))
    found = json.loads(story_indexer.run("software", "translate", str(clone)).out)
    assert found["version"] == "9"


def test_a_repository_without_a_revision_is_an_error(
    story_indexer: Command, tmp_path: Path
) -> None:
    git(tmp_path, "init", "--bare", "empty.git")
    printed = story_indexer.run("software", "translate", str(tmp_path / "empty.git"), status=1)
    assert "no head" in printed.err
