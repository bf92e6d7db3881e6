"""`story-indexer differences`: what an update changes, for a person and for a program."""

import io
import json
from pathlib import Path

import msgspec
import pytest
from rich.console import Console
from typer import Typer
from typer.testing import CliRunner, Result

from indexer.commands.archives.differences import differences, show
from indexer.errors import InputError
from indexer.stories.indexing.differences import Difference, DifferencesReport, summarize

app = Typer()
app.command()(differences)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with the differences of three stories."""
    found = [
        Difference("a", "https://site.example/a", "article_title", "Old", "New [bold]title[/bold]"),
        Difference(
            "b", "https://site.example/b", "article_title", None, "Ein \x1b[2JTitel\u202e\n"
        ),
        Difference("a", "https://site.example/a", "language", "en", None),
        Difference("c", "https://site.example/c", "article_title", "C", "c"),
    ]
    folder = tmp_path / "differences"
    folder.mkdir()
    lines = b"".join(msgspec.json.encode(each) + b"\n" for each in found)
    (folder / "host-1-20240502103000.jsonl").write_bytes(lines)
    return tmp_path


def test_fields_are_counted_and_examples_shown(data: Path) -> None:
    result = run("--data", data)
    assert result.exit_code == 0
    assert result.stdout.split("\n\n")[0].split() == [
        *("FIELD", "STORIES", "article_title", "3", "language", "1", "any", "of", "them", "3")
    ]
    assert '  https://site.example/a\n    - "Old"\n    + "New [bold]title[/bold]"' in result.stdout
    assert '    - "en"\n    + (none)' in result.stdout


def test_what_differs_is_seen_and_nothing_reaches_the_terminal(data: Path) -> None:
    for arguments in ([], ["--json"]):
        output = run("--data", data, *arguments).stdout
        assert r'"Ein \u001b[2JTitel\u202e\n"' in output
        assert output.replace("\n", "").isprintable()


def test_the_number_of_examples_can_be_chosen(data: Path) -> None:
    assert "article_title, 1 of 3:" in run("--data", data, "--examples", "1").stdout
    assert "https" not in run("--data", data, "--examples", "0").stdout
    assert run("--examples", "-1").exit_code == 2


def test_the_same_as_json(data: Path) -> None:
    report = json.loads(run(data / "differences", "--json").stdout)
    assert (report["stories"], report["files"], report["unreadable"]) == (3, 1, 0)
    assert [(each["field"], each["stories"]) for each in report["fields"]] == [
        ("article_title", 3),
        ("language", 1),
    ]
    assert report["fields"][1]["examples"] == [
        {
            "id": "a",
            "url": "https://site.example/a",
            "field": "language",
            "before": "en",
            "after": None,
        }
    ]


def test_without_differences_it_says_so(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert (result.stdout, result.exit_code) == ("No story differs.\n", 0)


def test_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    result = run(tmp_path / "missing")
    assert isinstance(result.exception, InputError)


def test_the_directory_is_that_of_the_importer(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPORTER_DIFFERENCES", str(data / "differences"))
    assert "article_title" in run().stdout


def test_without_a_name_those_of_the_newest_run_are_shown(data: Path) -> None:
    for run_of, field in (("20240502", "url"), ("20240503", "language")):
        (data / "differences" / run_of).mkdir()
        found = Difference("x", "https://site.example/x", field, "before", "after")
        (data / "differences" / run_of / "1.jsonl").write_bytes(msgspec.json.encode(found))
    report = json.loads(run("--data", data, "--json").stdout)
    assert [each["field"] for each in report["fields"]] == ["language"]
    assert json.loads(run(data / "differences", "--json").stdout)["stories"] == 4


def test_lines_that_can_not_be_read_are_told(data: Path) -> None:
    (data / "differences" / "killed.jsonl").write_text('{"id": "a", "url')
    last = run("--data", data).stdout.splitlines()[-1]
    assert last == (
        "Unreadable lines, written by a program that was killed or by another program: 1"
    )


def test_a_report_is_shown_on_any_console(data: Path) -> None:
    file = io.StringIO()
    report: DifferencesReport = summarize([data / "differences"])
    show(report, Console(file=file, width=40))
    assert "article_title" in file.getvalue()
