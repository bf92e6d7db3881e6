"""`software mapping`: names, terms of all rules, and one file by one mapping."""

import json
from pathlib import Path

import pytest

from indexer.software import metadata_dictionary
from tests.commands.entering import Command
from tests.each_row import each_row
from tests.software.metadata_dictionary.my_mapping import MyMapping

SCHEMA = "http://schema.org/"


def run(story_indexer: Command, *arguments: str) -> str:
    """What the command prints."""
    return story_indexer.run("software", "mapping", *arguments).out


def test_list_prints_the_names_in_order(story_indexer: Command) -> None:
    names = run(story_indexer, "list", "--profile", "compat").splitlines()
    assert names == sorted(names)
    assert {"npm", "cff", "pkg-info", "github", "sword-codemeta"} <= {*names}
    assert "npm" in run(story_indexer, "list").splitlines()


def test_a_term_has_a_line_and_one_of_its_mappings(story_indexer: Command) -> None:
    printed = run(story_indexer, "list-terms", "--profile", "compat")
    names = "cff, composer, gemspec, github, maven, npm, nuget, pkg-info, pubspec"
    excluded = ["codemeta", "sword-codemeta", "json-sword-codemeta"]
    options = [word for name in excluded for word in ("--exclude-mapping", name)]
    without = run(story_indexer, "list-terms", "--profile", "compat", *options)
    assert f"{SCHEMA}license:\n\t{names}\n" in without
    assert f"{SCHEMA}embargoDate" not in without
    assert f"{SCHEMA}address:\n\tcodemeta, json-sword-codemeta, sword-codemeta\n" in printed


def test_terms_of_special_rules_are_listed(story_indexer: Command) -> None:
    lines = run(story_indexer, "list-terms", "--profile", "compat").splitlines()
    assert "npm" in lines[lines.index(f"{SCHEMA}author:") + 1].strip().split(", ")


def test_concise_prints_the_terms_only(story_indexer: Command) -> None:
    lines = run(story_indexer, "list-terms", "--concise").splitlines()
    assert f"{SCHEMA}name" in lines
    assert lines == sorted(lines)


@each_row("name", ["npm", "NpmMapping"])
def test_both_names_translate_a_file(story_indexer: Command, tmp_path: Path, name: str) -> None:
    (tmp_path / "x").write_text('{"name": "a", "license": "MIT AND ISC"}')
    printed = run(story_indexer, "translate", name, str(tmp_path / "x"), "--profile", "compat")
    assert printed == (
        '{\n    "@context": "https://doi.org/10.5063/schema/codemeta-2.0",\n'
        '    "type": "SoftwareSourceCode",\n    "name": "a"\n}\n'
    )
    full = json.loads(run(story_indexer, "translate", name, str(tmp_path / "x")))
    assert full["@context"] == "https://w3id.org/codemeta/3.0"


@each_row("profile", ["full", "compat"])
def test_failure_is_null(story_indexer: Command, tmp_path: Path, profile: str) -> None:
    (tmp_path / "x").write_text("no JSON")
    assert (
        run(story_indexer, "translate", "npm", str(tmp_path / "x"), "--profile", profile)
        == "null\n"
    )


def test_mappings_of_the_seeds_contract_are_known(
    story_indexer: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metadata_dictionary, "MAPPINGS", (MyMapping,))
    (tmp_path / "x").write_text('{"name": "a"}')
    assert "my-mapping" in run(story_indexer, "list").splitlines()
    assert "my-mapping" in run(story_indexer, "list-terms")
    for name in ("my-mapping", "MyMapping"):
        assert json.loads(run(story_indexer, "translate", name, str(tmp_path / "x")))["name"] == "a"


@each_row(
    "arguments",
    [["translate", "nonsense", __file__], ["list-terms", "--exclude-mapping", "nonsense"]],
)
def test_an_unknown_mapping_is_an_error_that_names_the_known_ones(
    story_indexer: Command, arguments: list[str]
) -> None:
    failed = story_indexer.run("software", "mapping", *arguments, status=2)
    assert "no mapping nonsense; known are " in failed.err


def test_a_missing_file_is_an_error(story_indexer: Command) -> None:
    failed = story_indexer.run("software", "mapping", "translate", "npm", "no-such-file", status=1)
    assert failed.out == ""
    assert "can't read no-such-file" in failed.err
