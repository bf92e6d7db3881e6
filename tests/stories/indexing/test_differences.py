"""What an update changes: found, written down, and summed up."""

import json
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from indexer.errors import InputError
from indexer.search import Document
from indexer.stories.indexing.differences import (
    COMPARED,
    EXCERPT,
    Difference,
    DifferenceFile,
    DifferencesReport,
    differences,
    summarize,
)
from tests.each_row import each_row

NOW = datetime(2024, 5, 2, 10, 30, tzinfo=UTC)
BEFORE = Document("a" * 64, {}).replace(
    url="https://site.example/1",
    text_content="The text",
    indexed_date="2024-05-01T00:00:00.000001",
    article_title="Title",
    canonical_domain="site.example",
    language="en",
    publication_date="2024-05-01",
)


def a_difference(id: str = "a", field: str = "language", after: str | None = "en") -> Difference:
    return Difference(id, f"https://site.example/{id}", field, None, after)


def written(directory: Path, *found: Difference, name: str = "1.jsonl") -> Path:
    """A file of differences."""
    directory.mkdir(exist_ok=True)
    path = directory / name
    path.write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in found))
    return path


def counts(report: DifferencesReport) -> dict[str, int]:
    return {changed.field: changed.stories for changed in report.fields}


def test_a_document_that_is_the_same_has_no_differences() -> None:
    assert differences(BEFORE, BEFORE.replace()) == []


@each_row(
    ("field", "after"),
    [
        ("url", "https://site.example/1?x=1"),
        ("text_content", "Another text"),
        ("article_title", None),
        ("canonical_domain", "www.site.example"),
        ("language", "es"),
        ("publication_date", None),
    ],
)
def test_each_field_that_changes_is_told(field: str, after: str | None) -> None:
    now = BEFORE.replace(**{field: after})
    assert differences(BEFORE, now) == [
        Difference(BEFORE.id, now.text("url"), field, BEFORE.text(field), after)
    ]


def test_values_that_are_no_texts_are_compared_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.stories.indexing.differences.COMPARED", ("tags", "words"))
    before, after = BEFORE.replace(tags=["a"], words=5), BEFORE.replace(tags=["a", "é"], words=5)
    assert [(each.field, each.before, each.after) for each in differences(before, after)] == [
        ("tags", '["a"]', '["a","é"]')
    ]


def test_all_fields_but_the_date_of_indexing_are_compared() -> None:
    assert set(COMPARED) == {
        "url",
        "text_content",
        "article_title",
        "canonical_domain",
        "language",
        "publication_date",
    }
    assert differences(BEFORE, BEFORE.replace(indexed_date="2025-01-01T00:00:00.000000")) == []


@each_row(("before", "after"), [("", None), (None, ""), ("Cafe\u0301", "Café"), (None, None)])
def test_what_the_index_takes_for_the_same_is_the_same(
    before: str | None, after: str | None
) -> None:
    old, new = BEFORE.replace(article_title=before), BEFORE.replace(article_title=after)
    assert differences(old, new) == []


@each_row("place", [0, 1, 59, 60, 61, 5000, 9_998, 9_999])
def test_of_long_texts_the_place_where_they_begin_to_differ_is_shown(place: int) -> None:
    old = "a" * 10_000
    new = old[:place] + "b" + old[place + 1 :]
    (found,) = differences(BEFORE.replace(text_content=old), BEFORE.replace(text_content=new))
    assert found.before is not None
    assert found.after is not None
    assert len(found.before) == len(found.after) <= EXCERPT + 2
    assert found.after.count("b") == 1
    assert found.after.startswith("…") == (place > 60)
    assert found.before.endswith("…") == (place < 9_860)


def test_a_text_that_goes_on_where_the_other_ends_shows_both_ends() -> None:
    old, new = "x" * 1000, "x" * 1000 + " and more"
    (found,) = differences(BEFORE.replace(text_content=old), BEFORE.replace(text_content=new))
    assert found.before == "…" + "x" * 60
    assert found.after == "…" + "x" * 60 + " and more"


def test_what_no_line_could_hold_is_written_as_an_escape(tmp_path: Path) -> None:
    old = BEFORE.replace(article_title="half \ud800\x00\n")
    found = differences(old, BEFORE.replace(url="https://site.example/" + "x" * 9000))
    file = DifferenceFile(tmp_path, NOW)
    file.write(found)
    file.close()
    report = summarize([tmp_path])
    assert (report.unreadable, counts(report)) == (0, {"article_title": 1, "url": 1})
    assert len(report.fields[0].examples[0].url) == 2000


def test_each_batch_is_in_the_file_at_once_a_line_each(tmp_path: Path) -> None:
    file = DifferenceFile(tmp_path / "new" / "differences", NOW)
    file.write([])
    assert list(tmp_path.iterdir()) == []
    file.write([a_difference("a"), a_difference("b")])
    (path,) = (tmp_path / "new" / "differences").iterdir()
    assert [json.loads(line)["id"] for line in path.read_text().splitlines()] == ["a", "b"]
    file.write([a_difference("c")])
    assert len(path.read_text().splitlines()) == 3
    file.close()


def test_the_file_is_named_by_host_process_and_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.stories.indexing.differences.hostname", lambda: "../host name")
    monkeypatch.setattr("os.getpid", lambda: 77)
    file = DifferenceFile(tmp_path, NOW)
    file.write([a_difference()])
    file.close()
    assert [path.name for path in tmp_path.iterdir()] == [".._host_name-77-20240502103000.jsonl"]


def test_a_line_has_what_changes() -> None:
    line = msgspec.json.encode(a_difference("a", "language", "es"))
    assert json.loads(line) == {
        "id": "a",
        "url": "https://site.example/a",
        "field": "language",
        "before": None,
        "after": "es",
    }


def test_a_report_counts_each_story_once_a_field(tmp_path: Path) -> None:
    written(tmp_path, a_difference("a"), a_difference("a"), a_difference("a", "article_title"))
    written(tmp_path, a_difference("a"), a_difference("b"), name="2.jsonl")
    report = summarize([tmp_path])
    assert counts(report) == {"language": 2, "article_title": 1}
    assert (report.stories, report.files, report.unreadable) == (2, 2, 0)


def test_a_report_has_some_examples_of_different_stories(tmp_path: Path) -> None:
    some = [a_difference("a"), *(a_difference(str(number)) for number in range(9))]
    written(tmp_path, a_difference("a"), *some)
    (changed,) = summarize([tmp_path], examples=3).fields
    assert [example.id for example in changed.examples] == ["a", "0", "1"]
    (changed,) = summarize([tmp_path], examples=0).fields
    assert (changed.stories, list(changed.examples)) == (10, [])


def test_a_report_reads_files_and_directories_but_nothing_else_in_them(tmp_path: Path) -> None:
    one = written(tmp_path, a_difference("a"))
    (tmp_path / "notes.txt").write_text("not ours")
    other = written(tmp_path / "other", a_difference("b"))
    assert summarize([one]).stories == 1
    assert summarize([one, other]).stories == 2
    assert summarize([tmp_path]).stories == 2
    assert summarize([tmp_path / "other"]).files == 1


@each_row(
    "line",
    [
        b'{"id": "a", "url": "https://si',
        b"not json",
        b"[]",
        b"{}",
        b"[" * 50_000,
        b"x" * 200_000,
        b"\xff\xfe",
        b'{"id": 1, "url": "u", "field": "language", "before": null, "after": null}',
        b'{"id": "a", "url": "u", "field": "a field of the future", "before": "", "after": ""}',
    ],
)
def test_a_line_that_is_half_written_or_foreign_is_counted_and_the_rest_read(
    tmp_path: Path, line: bytes
) -> None:
    path = written(tmp_path, a_difference("a"))
    path.write_bytes(line + b"\n\n" + path.read_bytes() + line)
    report = summarize([tmp_path])
    assert (report.stories, report.unreadable) == (1, 2)


def test_files_that_are_not_there_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="missing: No such file"):
        summarize([tmp_path / "missing"])
    assert summarize([]).stories == 0
