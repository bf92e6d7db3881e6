"""`software validate`, `coverage` and `diff`: what is wrong, missing or different."""

import json
from pathlib import Path

from tests.commands.entering import Command
from tests.commands.software.conftest import NPM


def write(folder: Path, **changes: object) -> str:
    """Write a package.json with some changes; keys with the value None are left out."""
    folder.mkdir(exist_ok=True)
    keys = {key: value for key, value in {**NPM, **changes}.items() if value is not None}
    (folder / "package.json").write_text(json.dumps(keys, indent=2))
    return str(folder)


def test_a_file_that_cannot_be_read_is_an_error(story_indexer: Command, project: Path) -> None:
    (project / "package.json").write_text("{")
    printed = story_indexer.run("software", "validate", str(project), status=1)
    assert printed.out.startswith("package.json: error: not JSON: ")
    assert printed.err.startswith("1 error, ")


def test_a_key_that_the_format_requires_is_an_error(story_indexer: Command, project: Path) -> None:
    printed = story_indexer.run("software", "validate", write(project, version=None), status=1)
    assert "package.json: error: the format requires version\n" in printed.out


def test_a_value_that_is_not_used_as_it_is_written_is_a_warning(
    story_indexer: Command, project: Path
) -> None:
    printed = story_indexer.run("software", "validate", write(project, homepage="no URL"))
    why = "package.json:5: warning: /homepage not an absolute URL: kept as a text: no URL\n"
    assert why in printed.out


def test_values_that_a_description_should_have_are_notes(
    story_indexer: Command, project: Path
) -> None:
    printed = story_indexer.run("software", "validate", str(project))
    assert "note: no file states license\n" in printed.out
    assert "note: no file states name\n" not in printed.out


def test_problems_are_lines_of_json_too(story_indexer: Command, project: Path) -> None:
    printed = story_indexer.run("software", "validate", write(project, homepage=[1]), "--json")
    found = [json.loads(line) for line in printed.out.splitlines()]
    assert {"severity", "file", "line", "place", "why", "raw"} == found[0].keys()
    assert {"warning", "note"} >= {each["severity"] for each in found}


def test_coverage_lists_the_files_of_each_term_and_missing_terms(
    story_indexer: Command, project: Path
) -> None:
    found = json.loads(story_indexer.run("software", "coverage", str(project), "--json").out)
    assert found["stated"]["version"] == ["package.json"]
    assert "license" in found["missing"]
    assert not {*found["stated"]} & {*found["missing"]}
    printed = story_indexer.run("software", "coverage", str(project)).out
    assert "\nversion       package.json\n" in printed
    assert f"\n{len(found['missing'])} terms that no file states:\n" in printed


def test_a_difference_is_a_line_for_each_value(story_indexer: Command, project: Path) -> None:
    other = write(project.parent / "b", version="2.0", keywords=["sea", "wave"], homepage=None)
    printed = story_indexer.run("software", "diff", str(project), other, status=1)
    assert set(printed.out.splitlines()) == {
        "- version: 1.2.0",
        "+ version: 2.0",
        "- keywords: tide",
        "+ keywords: wave",
        "- url: https://tides.example/",
    }


def test_a_difference_has_terms_added_removed_and_changed(
    story_indexer: Command, project: Path
) -> None:
    other = write(project.parent / "b", version="2.0", homepage=None)
    one, two = (str(project), other)
    found = json.loads(story_indexer.run("software", "diff", one, two, "--json", status=1).out)
    assert found["changed"] == {"version": [["1.2.0"], ["2.0"]]}
    assert found["removed"] == {"url": [["https://tides.example/"], []]}
    back = json.loads(story_indexer.run("software", "diff", two, one, "--json", status=1).out)
    assert back["added"] == {"url": [[], ["https://tides.example/"]]}


def test_values_that_mean_the_same_do_not_differ(story_indexer: Command, project: Path) -> None:
    other = write(project.parent / "b", version="v1.2.0", homepage="http://tides.example")
    printed = story_indexer.run("software", "diff", str(project), other)
    assert (printed.out, printed.err) == ("", "")
