"""`software head` and `software index`: the stages of the pipeline alone, without queues."""

import json
from pathlib import Path

import pytest

from indexer.search import open_index
from indexer.software.searching.documents import document_id
from indexer.software.searching.fields import SOFTWARE_FIELDS
from tests.commands.entering import Command
from tests.software.archives.project import URL, write_lines, write_repository


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository of a project."""
    return write_repository(tmp_path / "repository.git")


def lines(out: str) -> list[list[str]]:
    """The columns of each line."""
    return [line.split("\t") for line in out.splitlines()]


def test_the_head_of_an_origin_is_shown_with_its_reason(
    story_indexer: Command, repository: Path
) -> None:
    ((origin, head, root, branch, why),) = lines(
        story_indexer.run("software", "head", str(repository)).out
    )
    assert origin == repository.as_uri()
    assert head.startswith("swh:1:rev:")
    assert root.startswith("swh:1:dir:")
    assert (branch, why) == ("HEAD", "branch HEAD, an alias of refs/heads/main")


def test_an_origin_is_indexed_once_and_can_be_found(
    story_indexer: Command, repository: Path, tmp_path: Path
) -> None:
    data = str(tmp_path / "data")
    given = ("software", "index", str(repository), "--data", data, "--json")
    first, again = (json.loads(story_indexer.run(*given).out) for _ in range(2))
    assert (first["origin"], first["status"]) == (repository.as_uri(), "indexed")
    assert again["status"] == "unchanged"
    index = open_index(f"sqlite:///{data}/software-index.sqlite3", SOFTWARE_FIELDS)
    assert index.get(document_id(repository.as_uri())) is not None
    index.close()


def test_origins_of_an_archive_are_named_by_their_urls(
    story_indexer: Command, tmp_path: Path
) -> None:
    archive = str(write_lines(tmp_path / "lines.jsonl"))
    given = ("--source-archive", archive, "--data", str(tmp_path / "data"))
    ended = story_indexer.run("software", "index", URL, "https://example.org/other", *given)
    assert [(origin, status) for origin, status, _ in lines(ended.out)] == [
        (URL, "indexed"),
        ("https://example.org/other", "unknown-origin"),
    ]


@pytest.mark.parametrize("command", ["head", "index"])
def test_an_archive_that_cannot_be_read_is_told(
    story_indexer: Command, tmp_path: Path, command: str
) -> None:
    broken = tmp_path / "broken.tar.gz"
    broken.write_bytes(b"no archive")
    data = () if command == "head" else ("--data", str(tmp_path / "data"))
    ended = story_indexer.run("software", command, str(broken), *data, status=1)
    assert "broken.tar.gz: damaged" in ended.out
