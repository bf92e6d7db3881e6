"""The seed's contract: its example runs with only its imports changed."""

import re
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from indexer.errors import ConfigurationError, MappingConflict
from indexer.software import metadata_dictionary
from indexer.software.codemeta import CROSSWALK_TABLE
from indexer.software.compat.jsonld.node import Node
from indexer.software.metadata_dictionary.__main__ import main
from indexer.software.metadata_dictionary.base import DictMapping
from tests.each_row import each_row
from tests.software.metadata_dictionary import my_mapping
from tests.software.metadata_dictionary.my_mapping import MyMapping

HERE = "tests.software.metadata_dictionary"

SEED = (
    """
class MyMapping(DictMapping, SingleFileMapping):
    \"\"\"Dedicated class for ...\"\"\"
    name = 'my-mapping'
    filename = b'the-filename'
    mapping = CROSSWALK_TABLE['Name of the CodeMeta crosswalk']
""",
    """
    string_fields = ['name', 'version', 'description', 'summary',
                     'author', 'author-email']
""",
    """
    def translate(self, raw_content):
        raw_content = raw_content.decode()  # bytes to str
        content_dict = json.loads(raw_content)  # str to dict
        return self._translate_dict(content_dict)  # convert to CodeMeta
""",
    """
    def normalize_license(self, s):
        if isinstance(s, str):
            return {"@id": "https://spdx.org/licenses/" + s}
""",
)
"""The code of the seed's section "Adding support for additional ecosystem-specific metadata"."""


class OtherMapping(DictMapping):
    """A mapping with all that the contract allows."""

    name = "other"
    mapping = CROSSWALK_TABLE["NodeJS"]
    string_fields = ("version",)
    uri_fields = ("homepage",)
    date_fields = ("bugs",)

    def translate(self, raw_content: bytes) -> dict[str, Any] | None:
        """Return the document of no file."""
        return self._translate_dict({}) if raw_content else None

    def normalize_author(self, value: object) -> object:
        """Return persons as they are."""
        return value

    def translate_the_name(self, document: Node, value: str) -> None:
        """Add a name that the crosswalk doesn't know."""
        document["name"] = value

    def extra_translation(self, document: Node, content_dict: Mapping[str, Any]) -> None:
        """Add how many keys there are."""
        document["codemeta:readme"] = {"@id": f"urn:keys:{len(content_dict)}"}


def translated(**keys: Any) -> dict[str, Any]:
    """What the mapping says of a dictionary, without what each document has."""
    found = OtherMapping()._translate_dict({key.replace("__", "-"): keys[key] for key in keys})
    return {key: found[key] for key in found if key not in ("@context", "type", "readme")}


def test_the_example_has_the_text_of_the_seed() -> None:
    text = Path(my_mapping.__file__).read_text(encoding="utf-8")
    named = re.sub(
        r"CROSSWALK_TABLE\['.*'\]", "CROSSWALK_TABLE['Name of the CodeMeta crosswalk']", text
    )
    for part in SEED:
        assert part.strip("\n") in named


def test_the_example_translates_a_file() -> None:
    content = b'{"name": "a", "version": "1", "license": "MIT", "summary": "b", "x": "y"}'
    mapping: Any = MyMapping()
    assert mapping.translate(content) == {
        "@context": "https://doi.org/10.5063/schema/codemeta-2.0",
        "type": "SoftwareSourceCode",
        "name": "a",
        "version": "1",
        "license": "https://spdx.org/licenses/MIT",
    }


def test_the_file_name_is_compared_without_its_case() -> None:
    assert MyMapping.matches(b"The-Filename")
    assert not MyMapping.matches(b"the-filename~")


def test_the_terms_are_those_of_fields_and_methods() -> None:
    names = {iri.rpartition("/")[2] for iri in MyMapping.supported_terms()}
    assert names == {"name", "version", "description", "author", "license"}


@each_row(
    ("keys", "expected"),
    [
        ({"version": ["1", "2"]}, {"version": ["1", "2"]}),
        ({"version": 1}, {}),
        ({"homepage": "https://a.example"}, {"url": "https://a.example"}),
        ({"homepage": "a.example"}, {}),
        ({"bugs": "2020"}, {"codemeta:issueTracker": {"type": "schema:Date", "@value": "2020"}}),
        (
            {"author": {"@type": "Person", "name": "A"}},
            {"schema:author": {"type": "Person", "name": "A"}},
        ),
        ({"author": {"@list": [{"name": "A"}]}}, {"author": [{"name": "A"}]}),
        ({"author": {"@id": "no IRI"}}, {}),
        ({"author": None}, {}),
        ({"the__name": "n"}, {"name": "n"}),
        ({"description": "a field that is not declared"}, {}),
    ],
)
def test_a_key_is_read_by_its_method_or_by_its_kind(
    keys: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert translated(**keys) == expected


def test_the_last_hook_sees_the_whole_dictionary() -> None:
    found = OtherMapping()._translate_dict({"a": 1, "b": 2})
    assert found["readme"] == "urn:keys:2"


def test_no_result_is_null(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(metadata_dictionary, "MAPPINGS", (OtherMapping,))
    (tmp_path / "empty").touch()
    assert main(["other", str(tmp_path / "empty")]) == 0
    assert capsys.readouterr().out == "null\n"


@each_row("name", ["MyMapping", "my-mapping"])
def test_the_module_translates_a_file_by_a_line_in_the_tuple(
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(metadata_dictionary, "MAPPINGS", (MyMapping,))
    (tmp_path / "the-filename").write_text('{"name": "a"}')
    assert main([name, str(tmp_path / "the-filename")]) == 0
    assert '\n    "name": "a"\n}' in capsys.readouterr().out


@each_row(
    ("arguments", "status", "text"),
    [
        (["NoMapping", __file__], 1, "no mapping NoMapping; there are: "),
        (["NpmMapping", "no-file"], 1, "no-file"),
        (["NpmMapping"], 2, "usage: "),
        (["NpmMapping", __file__], 0, ""),
    ],
)
def test_errors_are_a_line_and_a_status(
    arguments: list[str], status: int, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == status
    assert text in capsys.readouterr().err


def point(name: str, value: str) -> EntryPoint:
    """An entry point of another package."""
    return EntryPoint(name, value, metadata_dictionary.GROUP)


def test_a_declared_mapping_wins_over_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata_dictionary, "MAPPINGS", (OtherMapping,))
    declared = [point("OtherMapping", f"{HERE}.my_mapping:MyMapping")]
    assert metadata_dictionary.mappings(declared) == {"OtherMapping": MyMapping}


def test_two_packages_that_declare_one_name_are_an_environment_error() -> None:
    declared = [point("MyMapping", f"{HERE}.{name}:MyMapping") for name in ("my_mapping", "other")]
    with pytest.raises(MappingConflict, match="two packages") as raised:
        metadata_dictionary.mappings(declared)
    assert isinstance(raised.value, EnvironmentError)


def test_mappings_of_the_existing_system_are_not_loaded() -> None:
    declared = [point("NpmMapping", "swh.indexer.metadata_mapping.npm:NpmMapping")]
    assert metadata_dictionary.mappings(declared) == {}


@each_row("value", ["no.module:Any", f"{HERE}.my_mapping:None_", f"{HERE}.my_mapping:json"])
def test_a_mapping_that_cannot_be_loaded_is_a_configuration_error(value: str) -> None:
    with pytest.raises(ConfigurationError, match="the mapping X"):
        metadata_dictionary.mappings([point("X", value)])
