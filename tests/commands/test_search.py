"""`story-indexer search`, as a person and as another program see it."""

import csv
import io
import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from indexer.commands import search as command
from indexer.errors import SearchError
from indexer.search import open_index
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.search.corpus import corpus, fill, story

app = typer.Typer(rich_markup_mode="markdown")
app.command()(command.search)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the whole corpus."""
    directory = tmp_path_factory.mktemp("data")
    index = open_index(f"sqlite:///{directory / 'index.sqlite3'}", STORY_FIELDS)
    fill(index, *corpus())
    index.close()
    return directory


def search(data: Path, *arguments: str, status: int = 0) -> Result:
    """The result of a search in a data directory."""
    result = CliRunner().invoke(app, ["--data", str(data), *arguments])
    assert result.exit_code == status, result.output
    return result


def test_a_hit_is_shown_with_title_date_domain_url_and_snippet(data: Path) -> None:
    shown = search(data, "title:flood").stdout
    for part in (
        "2024-01-15  Flood closes the harbour bridge",
        "harbour.example · en",
        "https://www.harbour.example/en/en-flood",
        "The river rose above the old harbour bridge",
        "1 story\n",
    ):
        assert part in shown


def test_what_is_missing_is_said(data: Path) -> None:
    shown = search(data, "lang:en OR -lang:*", "--all").stdout
    assert "(no title)" in shown
    assert "(no date)" in shown


def test_without_a_query_the_newest_come_first(data: Path) -> None:
    shown = search(data, "-n", "1").stdout
    assert "Old bridge to be rebuilt" in shown
    assert "27 stories, 1 shown: --limit 5 or --all for more" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--limit", "10"], "27 stories, 10 shown: --limit 50 or --all for more"),
        (["--limit", "27"], "27 stories"),
        (["--all"], "27 stories"),
        (["flood"], "1 story"),
        (["nowhere"], "no story matches"),
        (["old", "bridge"], "2 stories"),
        (['"old bridge"'], "1 story"),
        (["--", "-lang:*"], "1 story"),
        (["--from", "2024-01-15", "--to", "2024-01-16"], "2 stories"),
        (["--from", "2024-02"], "5 stories"),
        (["--to", "2023"], "1 story"),
        (["--language", "ru", "-l", "EL"], "3 stories"),
        (["--domain", "wire.example", "-d", "bao.example"], "5 stories"),
        (["-l", "en", "--from", "2024", "-d", "dailypost.example", "bridge"], "1 story"),
    ],
)
def test_filters_and_limits(data: Path, arguments: list[str], said: str) -> None:
    assert search(data, *arguments).stdout.splitlines()[-1] == said


def test_no_hit_is_no_error(data: Path) -> None:
    for format in ("table", "jsonl", "csv"):
        result = search(data, "nowhere", "--format", format)
        assert "no story matches" in result.output


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ('flood "the river', '  flood "the river\n        ^\n'),
        ("河水 AND (", "  河水 AND (\n            ^\n"),
        ("x" * 200 + " te*st", "te*st\n" + " " * 62 + "^\n"),
        ("a\x1b[31m\tb)", "  a [31m b)\n          ^\n"),
    ],
)
def test_a_bad_query_is_shown_with_a_caret_under_the_place(
    data: Path, query: str, place: str
) -> None:
    result = search(data, query, status=2)
    assert result.stderr.startswith("can't read this query: ")
    assert result.stderr.endswith(place)
    assert result.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [["--from", "yesterday"], ["--to", "2024-13"], ["--limit", "0"], ["--format", "xml"]],
)
def test_bad_options_are_explained(data: Path, arguments: list[str]) -> None:
    assert arguments[0] in search(data, *arguments, status=2).output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--from", "2026-07", "--to", "2026-01"], "2026-07-01 is after --to 2026-01-31"),
        (["--language", "English"], "two-letter code"),
        (["-l", "en", "-l", ""], "two-letter code"),
    ],
)
def test_filters_that_nothing_can_match_are_explained(
    data: Path, arguments: list[str], said: str
) -> None:
    result = search(data, *arguments, status=2)
    assert said in " ".join(result.stderr.replace("│", " ").split())


def test_an_index_that_is_not_there_is_an_error_that_says_how_to_make_one(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["--data", str(tmp_path)])
    assert isinstance(result.exception, SearchError)
    assert "`story-indexer run` makes one" in str(result.exception)
    assert list(tmp_path.iterdir()) == []


def test_json_means_json_lines_as_in_other_commands(data: Path) -> None:
    lines = search(data, "--all", "--format", "jsonl").stdout
    assert search(data, "--all", "--json").stdout == lines
    search(data, "--json", "--format", "csv", status=2)


def test_json_lines_have_every_field(data: Path) -> None:
    result = search(data, "--all", "--format", "jsonl")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    found = {line["id"]: line for line in lines}
    assert len(lines) == len(corpus())
    for document in corpus():
        assert (
            found[document.id]["article_title"] == document.get("article_title")
            or "nfd" in document.id
        )
        assert found[document.id].keys() >= {"text_content", "score", "snippet", "url", "language"}
    assert result.stderr == "27 stories\n"


def test_csv_has_a_header_and_a_row_for_each_hit(data: Path) -> None:
    result = search(data, "bridge", "--format", "csv")
    assert result.stdout_bytes.count(b"\r\n") == 3
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert {row["canonical_domain"] for row in rows} == {"harbour.example", "dailypost.example"}
    assert "text_content" not in rows[0]
    assert result.stderr == "2 stories\n"


def test_csv_has_the_text_for_who_asks(data: Path) -> None:
    result = search(data, "flood", "--format", "csv", "--text")
    (row,) = csv.DictReader(io.StringIO(result.stdout))
    assert row["text_content"].endswith("Damage may reach 3.5 million pounds.")


def test_a_title_can_neither_command_a_terminal_nor_a_spreadsheet(tmp_path: Path) -> None:
    index = open_index(f"sqlite:///{tmp_path / 'index.sqlite3'}", STORY_FIELDS)
    title = "=1+1\x1b]0;owned\x07\x9b31m\u202e[bold]red[/bold] :smile:\r\nnext"
    fill(index, story("a", "text\x1b[2J", article_title=title, url="https://x.example/\x1b[31m"))
    index.close()
    shown = search(tmp_path).stdout
    assert r"=1+1\u001b]0;owned\u0007\u009b31m\u202e[bold]red[/bold] :smile: next" in shown
    for format in ("table", "jsonl", "csv"):
        shown = search(tmp_path, "--format", format, "--text").stdout.replace("\r\n", "\n")
        assert shown.replace("\n", "").isprintable()
    assert "'=1+1" in search(tmp_path, "--format", "csv").stdout


def test_the_environment_says_where(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATAROOT", str(data))
    assert "27 stories" in CliRunner().invoke(app, ["--all"]).stdout
    monkeypatch.setenv("DATAROOT", "/nowhere")
    monkeypatch.setenv("INDEX_URL", f"sqlite:///{data}/index.sqlite3")
    assert "27 stories" in CliRunner().invoke(app, ["--all"]).stdout


def test_help_teaches_and_shows_no_value_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("INDEX_URL", "http://me:secret@localhost/")
    shown = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "200"}).stdout
    assert "secret" not in shown
    for taught in ("story-indexer search 'flood* AND", "INDEX_URL", "formula", "--format csv >"):
        assert taught in shown
