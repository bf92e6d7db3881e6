"""`software translate`: one document of all metadata files of a path."""

import json
import tarfile
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from tests.commands.entering import Command
from tests.commands.software.conftest import NPM
from tests.each_row import each_row


def test_a_directory_is_one_document(story_indexer: Command, project: Path) -> None:
    found = json.loads(story_indexer.run("software", "translate", str(project)).out)
    assert found["@context"] == "https://w3id.org/codemeta/3.0"
    assert (found["name"], found["version"]) == ("tides", "1.2.0")


def test_a_file_is_recognised_by_its_name(story_indexer: Command, project: Path) -> None:
    (project / "package.json").rename(project / "PACKAGE.json")
    path = project / "PACKAGE.json"
    found = json.loads(story_indexer.run("software", "translate", str(path)).out)
    assert found["name"] == "tides"


@each_row("arguments", [[], ["--format", "npm"], ["--format", "NpmMapping"]])
def test_standard_input_is_recognised_by_its_text(
    story_indexer: Command, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(json.dumps(NPM).encode())))
    found = json.loads(story_indexer.run("software", "translate", "-", *arguments).out)
    assert found["name"] == "tides"


def test_codemeta_2_has_its_own_context(story_indexer: Command, project: Path) -> None:
    found = story_indexer.run("software", "translate", str(project), "--to", "codemeta-2")
    assert json.loads(found.out)["@context"] == "https://doi.org/10.5063/schema/codemeta-2.0"


@each_row(
    ("form", "begins"),
    [
        ("bibtex", "@software{tides,\n  title = {{tides}},\n  version = {1.2.0},\n"),
        ("csl", '[\n  {\n    "id": "tides",\n    "type": "software",\n'),
        ("cff", "cff-version: 1.2.0\n"),
    ],
)
def test_a_citation_is_printed(
    story_indexer: Command, project: Path, form: str, begins: str
) -> None:
    printed = story_indexer.run("software", "translate", str(project), "--to", form)
    assert printed.out.startswith(begins)
    assert ("cff requires what no file states: authors\n" in printed.err) == (form == "cff")


def test_a_tarball_is_a_directory(story_indexer: Command, project: Path) -> None:
    packed = project.parent / "tides-1.2.0.tar.gz"
    with tarfile.open(packed, "w:gz") as file:
        file.add(project, "tides-1.2.0")
    found = json.loads(story_indexer.run("software", "translate", str(packed)).out)
    assert found["name"] == "tides"


def test_the_profile_compat_is_the_document_of_the_existing_system(
    story_indexer: Command, project: Path
) -> None:
    printed = story_indexer.run("software", "translate", str(project), "--profile", "compat")
    found = json.loads(printed.out)
    assert found["@context"] == "https://doi.org/10.5063/schema/codemeta-2.0"
    assert found["issueTracker"] == "https://tides.example/bugs"


def test_the_profile_compat_has_no_citations(story_indexer: Command, project: Path) -> None:
    arguments = (str(project), "--profile", "compat", "--to", "cff")
    printed = story_indexer.run("software", "translate", *arguments, status=2)
    assert "--profile compat is CodeMeta 2.0, and not cff" in printed.err


def test_a_file_above_the_limit_is_an_error(story_indexer: Command, project: Path) -> None:
    with (project / "package.json").open("ab") as file:
        file.truncate(6_000_000)
    printed = story_indexer.run("software", "translate", str(project), status=1)
    assert "above the limit of 5,000,000" in printed.err


def test_the_only_directory_in_a_directory_counts(story_indexer: Command, project: Path) -> None:
    outer = project.parent / "outer"
    outer.mkdir()
    project.rename(outer / "tides-1.2.0")
    found = json.loads(story_indexer.run("software", "translate", str(outer)).out)
    assert found["name"] == "tides"


def test_links_are_not_followed(story_indexer: Command, project: Path) -> None:
    (project / "package.json").rename(project / "other.json")
    (project / "package.json").symlink_to(project / "other.json")
    printed = story_indexer.run("software", "translate", str(project), status=1)
    assert printed.err == f"story-indexer: {project}: no metadata file of a known format\n"


def test_control_characters_are_escaped(story_indexer: Command, project: Path) -> None:
    (project / "package.json").write_text('{"name": "a\\u001b[31m\\u202e"}')
    printed = story_indexer.run("software", "translate", str(project))
    assert r'"a\u001b[31m\u202e"' in printed.out


def test_unused_values_are_counted_on_standard_error(story_indexer: Command, project: Path) -> None:
    (project / "package.json").write_text('{"name": "a", "homepage": "no URL"}')
    printed = story_indexer.run("software", "translate", str(project))
    assert printed.err == "1 remark: `story-indexer software explain` lists them\n"


@each_row(
    ("text", "why"),
    [
        ("{", "package.json: not JSON: "),
        ("{}", "no metadata"),
        ("[]", "package.json: a list, where an object belongs"),
    ],
)
def test_a_project_without_metadata_has_status_1_and_a_reason(
    story_indexer: Command, project: Path, text: str, why: str
) -> None:
    (project / "package.json").write_text(text)
    printed = story_indexer.run("software", "translate", str(project), status=1)
    assert (printed.out, why in printed.err) == ("", True)


@each_row(
    ("arguments", "status", "why"),
    [
        (["/no/such/path"], 1, "no such file or directory"),
        (["/dev/null"], 1, "no metadata file of a known format"),
        (["/dev/null", "--format", "nothing"], 2, "no format nothing; known are"),
    ],
)
def test_a_bad_path_or_format_is_an_error(
    story_indexer: Command, arguments: list[str], status: int, why: str
) -> None:
    assert why in story_indexer.run("software", "translate", *arguments, status=status).err
