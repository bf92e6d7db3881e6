"""*.nuspec: packages of .NET."""

from collections.abc import Iterator

from indexer.software.readings.licences import licences
from indexer.software.readings.links import literal
from indexer.software.readings.package_urls import package_url
from indexer.software.readings.people import people
from indexer.software.readings.requirements import requirements
from indexer.software.rules.key_rule import KeyRule, Readings, find
from indexer.software.rules.manifest_format import ManifestFormat, SpecialRule
from indexer.software.rules.property import Diagnostics, Property
from indexer.software.syntax.tree import Tree
from indexer.software.syntax.xml_file import TEXT, read_xml

_DEPENDENCIES = (
    ("dependencies", "dependency"),
    ("dependencies", "group", "dependency"),
)


def metadata(tree: Tree, diagnostics: Diagnostics) -> Tree:
    """Return the element `metadata` of a package."""
    package = tree.get("package") if isinstance(tree, dict) else None
    found = package.get("metadata") if isinstance(package, dict) else None
    if not isinstance(found, dict):
        if tree:
            diagnostics.add("", "no element `package/metadata` with elements in it")
        return {}
    return found


def names(tree: Tree, _diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield the identifier of the package; it is also the name of a package without a title."""
    identity = tree.get("id") if isinstance(tree, dict) else None
    if not isinstance(tree, dict) or not isinstance(identity, str) or not identity:
        return
    if found := package_url("nuget", identity):
        yield Property("identifier", found, "/id", "id → identifier")
    if not tree.get("name") and not tree.get("title"):
        yield Property("name", identity, "/id", "id → name")


def licence(value: Tree, place: str, diagnostics: Diagnostics) -> Readings:
    """Yield the licence of an element whose `type` says whether it is an expression or a file."""
    if isinstance(value, dict):
        text = value.get(TEXT)
        if value.get("@type") == "file" and isinstance(text, str):
            yield literal(text), place
            return
        value = text
    yield from licences(value, place, diagnostics)


def authors(value: Tree, place: str, diagnostics: Diagnostics) -> Readings:
    """Yield each author: a comma always separates them here, also in `A, B`."""
    if isinstance(value, str):
        value = [name for each in value.split(",") if (name := each.strip())]
    yield from ((found, place) for found, _ in people(value, place, diagnostics))


def dependencies(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield each dependency, those of several target frameworks once."""
    for steps in _DEPENDENCIES:
        for found, place in find(tree, steps):
            for each in found if isinstance(found, list) else [found]:
                given = _without_signs(each)
                for value, where in requirements("nuget")(given, place, diagnostics):
                    rule = "dependencies → softwareRequirements"
                    yield Property("softwareRequirements", value, where, rule)


def _without_signs(element: Tree) -> Tree:
    """The attributes of an element, without the sign before their names."""
    if not isinstance(element, dict):
        return element
    return {key.removeprefix("@"): value for key, value in element.items()}


NUSPEC = ManifestFormat(
    "nuget",
    "NuGetMapping",
    ("*.nuspec",),
    read_xml,
    column="NuGet",
    rules=(
        KeyRule("title", "name"),
        KeyRule("authors", "author", authors),
        KeyRule("owners", "maintainer", authors),
        KeyRule("repository/@url", "codeRepository"),
        KeyRule("license", "license", licence),
        KeyRule("copyright", "schema:copyrightNotice"),
        KeyRule("language", "schema:inLanguage"),
    ),
    specials=(
        SpecialRule(names, ("identifier", "name"), ("id",)),
        SpecialRule(dependencies, ("softwareRequirements",), ("dependencies",)),
    ),
    without=frozenset({"repository/url"}),
    prepare=metadata,
)
