"""The ground truth of a folder."""

from pathlib import Path

import pytest
from msgspec import UNSET

from indexer.errors import InputError
from indexer.stories.evaluation.truth import DEFAULT_URL, NAME, read_page, read_truth
from tests.each_row import each_row


def test_only_file_and_text_are_needed(tmp_path: Path) -> None:
    lines = (
        '{"file": "a.html", "text": "x"}\n\n{"file": "b", "text": "", "date": null, "class": "c"}'
    )
    (tmp_path / NAME).write_text(lines, encoding="utf-8")
    first, second = read_truth(tmp_path)
    assert (first.url, first.class_, first.date) == (DEFAULT_URL, "", UNSET)
    assert (second.class_, second.date, second.title) == ("c", None, UNSET)


@each_row(
    ("content", "says"),
    [
        ("", "has no pages"),
        ("{", "line 1"),
        ('{"file": "a", "text": ""}\n{"file": "a"}', "line 2: .*text"),
    ],
)
def test_a_bad_ground_truth_is_refused_with_its_line(
    tmp_path: Path, content: str, says: str
) -> None:
    (tmp_path / NAME).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=says):
        read_truth(tmp_path)


def test_a_folder_without_ground_truth_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't read"):
        read_truth(tmp_path)


@each_row(("file", "says"), [("missing.html", "can't read"), ("../a.html", "is not in")])
def test_pages_are_files_of_the_folder(tmp_path: Path, file: str, says: str) -> None:
    (tmp_path / NAME).write_text(f'{{"file": "{file}", "text": ""}}', encoding="utf-8")
    with pytest.raises(InputError, match=says):
        read_page(tmp_path, read_truth(tmp_path)[0])
