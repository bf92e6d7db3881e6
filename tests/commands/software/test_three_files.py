"""A project with codemeta.json, CITATION.cff and package.json, which contradict each other."""

import json
from pathlib import Path

import pytest

from indexer.commands.software.problems import REQUIRED
from indexer.software.formats.table import FORMATS
from tests.commands.entering import Command

FILES = {
    "codemeta.json": """{
  "@context": "https://doi.org/10.5063/schema/codemeta-2.0",
  "@type": "SoftwareSourceCode",
  "name": "Tides",
  "maintainer": {"@type": "Person", "givenName": "Jane", "familyName": "Doe"}
}""",
    "CITATION.cff": """cff-version: 1.2.0
message: Please cite
title: Tides
version: 1.1
license: Apache-2.0
authors:
  - family-names: Doe
    given-names: Jane
    orcid: https://orcid.org/0000-0002-1825-0097
  - name: The Tides Team
""",
    "package.json": """{
  "name": "tides",
  "version": "1.0.2",
  "license": "Apache-2.0",
  "author": "Jane Doe <jane@x.example>"
}""",
}
JANE = {
    "type": "Person",
    "id": "https://orcid.org/0000-0002-1825-0097",
    "givenName": "Jane",
    "familyName": "Doe",
    "email": "jane@x.example",
}


@pytest.fixture
def three(tmp_path: Path) -> str:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return str(tmp_path)


def test_the_most_trusted_file_counts_and_persons_are_one(
    story_indexer: Command, three: str
) -> None:
    found = json.loads(story_indexer.run("software", "translate", three).out)
    assert (found["name"], found["version"]) == ("Tides", "1.1")
    assert found["license"] == "https://spdx.org/licenses/Apache-2.0"
    assert [each["type"] for each in found["author"]] == ["Person", "Organization"]
    assert found["author"][0] == found["maintainer"] == JANE


def test_a_value_has_the_lines_of_all_files_that_state_it(
    story_indexer: Command, three: str
) -> None:
    found = json.loads(story_indexer.run("software", "explain", three, "--json").out)
    lines = {
        value["term"]: [(each["file"], each["line"]) for each in value["sources"]]
        for value in found["values"]
    }
    assert lines["license"] == [("CITATION.cff", 5), ("package.json", 4)]
    assert lines["maintainer"] == [
        ("codemeta.json", 5),
        ("CITATION.cff", 7),
        ("package.json", 5),
    ]


def test_conflicts_are_explained_and_are_warnings(story_indexer: Command, three: str) -> None:
    told = story_indexer.run("software", "explain", three).out
    assert "conflict of version:\n    kept: 1.1  CITATION.cff:4 /version\n" in told
    assert "    not used: 1.0.2  package.json:3 /version\n" in told
    printed = story_indexer.run("software", "validate", three).out
    why = "package.json:3: warning: /version version contradicts CITATION.cff, which has 1.1: 1.0.2"
    assert why in printed.splitlines()


def test_required_keys_are_of_known_formats() -> None:
    assert {*REQUIRED} <= {form.name for form in FORMATS}
