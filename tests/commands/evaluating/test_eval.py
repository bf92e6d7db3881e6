"""`story-indexer eval extraction`."""

import json
from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from indexer.commands.evaluating.eval import app
from indexer.errors import InputError
from newsroom.labelled.pages import labelled_pages
from tests.stories.extraction.in_process import in_process

__all__ = ["in_process"]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["extraction", *arguments])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = list(islice(labelled_pages(), 2))
    for page in pages:
        (tmp_path / page.truth["file"]).write_bytes(page.html)
    lines = [json.dumps(page.truth) for page in pages]
    (tmp_path / "truth.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def test_json_has_the_scores_of_all_classes_and_pages(folder: Path) -> None:
    found = json.loads(run(str(folder), "--json").stdout)
    assert found["all"]["f1"] == found["classes"]["wordpress_classic"]["f1"] == 1.0
    assert found["all"]["right"] == {"title": 1, "date": 1, "language": 1, "canonical_url": 1}
    assert [page["method"] for page in found["pages"]] == ["blocks"] * 2


def test_a_table_has_a_row_for_each_class_and_names_the_extractors(folder: Path) -> None:
    shown = run(str(folder)).stdout
    assert "wordpress_classic" in shown
    assert "1.000" in shown
    assert "extractors and statuses: blocks 2" in shown


def test_a_folder_without_ground_truth_is_refused(tmp_path: Path) -> None:
    assert isinstance(run(str(tmp_path)).exception, InputError)
