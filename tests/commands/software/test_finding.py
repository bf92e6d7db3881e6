"""`story-indexer search --software`, as a person and as another program see it."""

import json
from contextlib import closing
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from indexer.commands.search import search
from indexer.search import open_index
from indexer.software.searching.fields import SOFTWARE_FIELDS
from tests.software.searching.indexed import fill, intrinsic, url

app = typer.Typer(rich_markup_mode="markdown")
app.command()(search)

MIT = "https://spdx.org/licenses/MIT"
ADA = {"type": "Person", "name": "Ada Lovelace"}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with an index of three origins."""
    directory = tmp_path_factory.mktemp("data")
    file = f"sqlite:///{directory / 'software-index.sqlite3'}"
    terms = {"license": MIT, "author": [ADA], "programmingLanguage": "C", "version": "1.2"}
    with closing(open_index(file, SOFTWARE_FIELDS)) as index:
        fill(
            index,
            intrinsic("a", "npm", name="wave\x1b[31m", description="A fast Fourier transform."),
            intrinsic("b", "cff", name="Fourier", **terms),
            intrinsic("c", "npm", description="mist"),
        )
    return directory


def find(data: Path, *arguments: str, status: int = 0) -> Result:
    """The result of a search for software in a data directory."""
    result = CliRunner().invoke(app, ["--data", str(data), "--software", *arguments])
    assert result.exit_code == status, result.output
    return result


def test_hits_are_shown_with_name_url_facts_and_description(data: Path) -> None:
    assert find(data, "fourier").stdout.splitlines() == [
        "Fourier 1.2",
        url("b"),
        "MIT · C · cff · by Ada Lovelace",
        "",
        "wave\\u001b[31m",
        url("a"),
        "npm",
        "A fast Fourier transform.",
        "",
        "2 found, 2 shown",
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "a b c"),
        (["fourier"], "b a"),
        (["fourier", "--mapping", "npm"], "a"),
        (["--license", "mit", "--license", "ISC"], "b"),
        (["--programming-language", "c"], "b"),
        (["--author", "ada lovelace"], "b"),
        (["mapping:npm -fourier"], "c"),
        (["nothing"], ""),
    ],
)
def test_json_is_one_line_with_all_hits(data: Path, arguments: list[str], expected: str) -> None:
    found = json.loads(find(data, *arguments, "--json").stdout)
    assert [hit["origin"] for hit in found["hits"]] == [url(name) for name in expected.split()]
    assert found["total"] == len(expected.split())


def test_a_page_tells_the_key_of_the_next(data: Path) -> None:
    first = find(data, "fourier", "-n", "1").stdout
    assert "2 found, 1 shown: --after '0:https://git.example/b' for the next page" in first
    found = json.loads(find(data, "fourier", "--after", f"0:{url('b')}", "--json").stdout)
    assert ([hit["origin"] for hit in found["hits"]], found["next"]) == ([url("a")], None)


def test_facets_are_counted(data: Path) -> None:
    shown = find(data, "--facet", "mapping", "--facet", "language").stdout
    assert "mapping: npm (2), cff (1)\nlanguage: C (1)\n" in shown
    found = json.loads(find(data, "--facet", "mapping", "--json").stdout)["facets"]
    assert found == {"mapping": [{"value": "npm", "hits": 2}, {"value": "cff", "hits": 1}]}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (['"open'], "can't read this query"),
        (["--after", "x"], "not the key of a page"),
        (["--from", "2024"], "--from is for stories"),
        (["--all"], "--all is for stories"),
        (["--format", "csv"], "--format is for stories"),
        (["--facet", "name"], "--facet"),
    ],
)
def test_a_bad_search_is_told_why(data: Path, arguments: list[str], says: str) -> None:
    assert says in find(data, *arguments, status=2).output


@pytest.mark.parametrize("option", ["--license=MIT", "--facet=license", "--after=0:x"])
def test_options_of_software_need_its_flag(data: Path, option: str) -> None:
    result = CliRunner().invoke(app, ["--data", str(data), option])
    assert result.exit_code == 2
    assert "needs --software" in result.output
