"""The queuer of origins: archives, and lists of them."""

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from indexer.errors import InputError
from indexer.messages.worker import Mark, Skipped
from indexer.programs.settings import ProducerOptions, ProgramOptions
from indexer.software.messages import OriginMessage
from tests.software.archives.project import URL, write_lines
from workers.software.origin_queuer import OriginQueuer, OriginQueuerOptions


def queued(data: Path, *inputs: str, archive: str = "") -> Sequence[tuple[str, str]]:
    """The archive and the URL of each origin that is queued; of a refused line, its status."""
    options = OriginQueuerOptions(
        program=ProgramOptions(data=data),
        producer=ProducerOptions(inputs=list(inputs)),
        source_archive=archive,
    )
    with closing(OriginQueuer(options)) as queuer:
        return [
            (each.status, each.label) if isinstance(each, Skipped) else (each.archive, each.url)
            for each in queuer.produce()
            if isinstance(each, OriginMessage | Skipped) and not isinstance(each, Mark)
        ]


def test_archives_and_lists_are_queued(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    lines = write_lines(tmp_path / "lines.jsonl")
    inputs = (str(project), "https://example.org/p.git", str(lines))
    assert queued(tmp_path / "data", *inputs) == [
        (str(project), project.as_uri()),
        ("https://example.org/p.git", "https://example.org/p.git"),
        (str(lines), URL),
    ]


def test_an_option_names_the_archive_of_all_visits(tmp_path: Path) -> None:
    visits = tmp_path / "visits.jsonl"
    visits.write_text(json.dumps({"origin": URL, "status": "full"}))
    assert queued(tmp_path / "data", str(visits), archive="/srv/a") == [("/srv/a", URL)]


def test_names_may_be_in_a_file(tmp_path: Path) -> None:
    project, names = tmp_path / "project", tmp_path / "names"
    project.mkdir()
    names.write_text(f"{project}\n")
    assert queued(tmp_path / "data", f"@{names}") == [(str(project), project.as_uri())]


def test_a_list_that_was_read_is_skipped(tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "lines.jsonl")
    assert len(queued(tmp_path / "data", str(lines))) == 1
    assert queued(tmp_path / "data", str(lines)) == []


def test_a_missing_input_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="lost"):
        queued(tmp_path / "data", str(tmp_path / "lost"))
