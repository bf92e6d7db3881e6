"""The published files of CodeMeta: they are the ones that `sources.toml` records."""

import hashlib
import tomllib
from importlib.resources import files

from indexer.software.vocabulary import contexts, crosswalk

DATA = files("indexer.software.vocabulary") / "data"
SOURCES = tomllib.loads((DATA / "sources.toml").read_text("utf-8"))


def test_each_published_file_has_its_version_source_licence_and_digest() -> None:
    published = {each.name for each in DATA.iterdir() if each.name.endswith((".csv", ".jsonld"))}
    assert SOURCES.keys() == published
    for name, source in SOURCES.items():
        assert hashlib.sha256((DATA / name).read_bytes()).hexdigest() == source["sha256"]
        assert all(source[key] for key in ("version", "source", "licence"))


def test_both_crosswalks_have_the_columns_of_the_five_formats_of_the_seed() -> None:
    for version in crosswalk.VERSIONS:
        assert {"NodeJS", "Java (Maven)", "Python PKG-INFO", "Ruby Gem"} <= set(
            crosswalk.columns(version)
        )


def test_a_cell_with_several_keys_stands_for_each_of_them() -> None:
    keys = crosswalk.keys("3", "NodeJS")
    assert keys["bundleDependencies"] == keys["peerDependencies"] == "softwareRequirements"


def test_rows_of_persons_are_no_keys_of_the_software() -> None:
    assert "author.email" not in crosswalk.keys("3", "NodeJS")


def test_a_term_tells_its_type() -> None:
    terms = contexts.terms("3.0")
    assert terms["codeRepository"].is_iri
    assert terms["author"].is_list
    assert terms["dateCreated"].type == "schema:Date"
    assert contexts.short_names("3.0")["codemeta:issueTracker"] == "issueTracker"
