"""Cargo.toml: packages of Rust, with what they inherit from the workspace of the same file."""

from indexer.software.readings.links import literal
from indexer.software.readings.requirements import requirements
from indexer.software.readings.texts import texts
from indexer.software.rules.key_rule import KeyRule, Readings
from indexer.software.rules.manifest_format import ManifestFormat
from indexer.software.rules.property import Diagnostics
from indexer.software.syntax.toml_file import read_toml
from indexer.software.syntax.tree import Tree


def _inherited(tree: Tree, diagnostics: Diagnostics) -> Tree:
    """The manifest, with the values of the workspace where the package says `workspace = true`."""
    if not isinstance(tree, dict):
        return tree
    workspace = tree.get("workspace")
    shared = workspace.get("package") if isinstance(workspace, dict) else None
    shared = shared if isinstance(shared, dict) else {}
    package = tree.get("package", tree.get("project", shared))
    if not isinstance(package, dict):
        return tree
    found: dict[str, Tree] = {}
    for key, value in package.items():
        if isinstance(value, dict) and value.get("workspace") is True:
            if key in shared:
                found[key] = shared[key]
            else:
                diagnostics.add(f"/package/{key}", "inherited from the workspace's own file")
        else:
            found[key] = value
    return {**tree, "package": found}


def _rust_version(value: Tree, place: str, diagnostics: Diagnostics) -> Readings:
    for text, where in texts(value, place, diagnostics):
        yield f"Rust {text}", where


def _file(value: Tree, place: str, diagnostics: Diagnostics) -> Readings:
    for text, where in texts(value if isinstance(value, str) else None, place, diagnostics):
        yield literal(str(text)), where


CARGO = ManifestFormat(
    "cargo",
    "CargoMapping",
    ("Cargo.toml",),
    read_toml,
    column="Rust Package Manager",
    rules=(
        KeyRule("package/name", "name"),
        KeyRule("package/description", "description"),
        KeyRule("package/authors", "author"),
        KeyRule("package/keywords", "keywords"),
        KeyRule("package/categories", "applicationCategory"),
        KeyRule("package/readme", "readme", _file),
        KeyRule("package/rust-version", "runtimePlatform", _rust_version),
        KeyRule("dependencies", "softwareRequirements", requirements("cargo")),
        KeyRule("build-dependencies", "softwareRequirements", requirements("cargo")),
        KeyRule("target/*/dependencies", "softwareRequirements", requirements("cargo")),
        KeyRule("workspace/dependencies", "softwareRequirements", requirements("cargo")),
        KeyRule("dev-dependencies", "softwareSuggestions", requirements("cargo")),
    ),
    without=frozenset({"package/keyword"}),
    prepare=_inherited,
)
