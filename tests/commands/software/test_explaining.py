"""`software explain`: every value has its file, place and rule; what is not used is listed."""

import json
from pathlib import Path

from tests.commands.entering import Command


def test_each_value_has_its_file_line_place_and_rule(story_indexer: Command, project: Path) -> None:
    printed = story_indexer.run("software", "explain", str(project)).out
    assert "name: tides\n    package.json:2 /name  name → name (" in printed
    assert "keywords: tide\n    package.json:8 /keywords/1  keywords → keywords" in printed


def test_keys_that_no_rule_reads_are_listed(story_indexer: Command, project: Path) -> None:
    printed = story_indexer.run("software", "explain", str(project)).out
    assert printed.endswith("keys that no rule reads:\n    package.json:13 /scripts\n")


def test_json_has_the_same_as_the_text(story_indexer: Command, project: Path) -> None:
    (project / "package.json").write_text('{"name": "a", "homepage": "no URL", "x": 1}')
    found = json.loads(story_indexer.run("software", "explain", str(project), "--json").out)
    assert found["remarks"] == [
        {
            "file": "package.json",
            "line": 1,
            "place": "/homepage",
            "why": "not an absolute URL: kept as a text",
            "raw": "no URL",
        }
    ]
    assert found["unread"] == [{"file": "package.json", "line": 1, "place": "/x"}]
    source = {"file": "package.json", "line": 1, "place": "/name", "value": "a"}
    assert [
        {key: value for key, value in each.items() if key != "rule"}
        for value in found["values"]
        if value["term"] == "name"
        for each in value["sources"]
    ] == [source]
