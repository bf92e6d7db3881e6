"""pom.xml: a project of Maven, its own properties interpolated, its parent's coordinates used."""

import re
from collections.abc import Iterator, Mapping

from indexer.software.readings.identifiers import identifiers
from indexer.software.readings.links import is_iri, links
from indexer.software.readings.package_urls import package_url
from indexer.software.readings.requirements import requirements
from indexer.software.rules.key_rule import KeyRule
from indexer.software.rules.manifest_format import ManifestFormat, SpecialRule
from indexer.software.rules.property import Diagnostics, Property
from indexer.software.syntax.tree import Tree, below
from indexer.software.syntax.xml_file import read_xml
from indexer.software.translation.term_readers import reader_of

MAX_LENGTH = 10_000
"""The most characters of a text after interpolation: properties that hold each other would grow."""

MAX_PROPERTY = 500
"""The most characters of a property that is used."""

MAX_ROUNDS = 8
"""The most properties that stand for each other in a row."""

_EXPRESSION = re.compile(r"\$\{([^{}\s]+)\}")

_INHERITED = ("groupId", "version")
"""Coordinates that a project takes from its parent, whose element in the same file has them."""

Texts = Mapping[str, str]


def project(tree: Tree, diagnostics: Diagnostics) -> Tree:
    """Return the project of a file: without its root element, and with its expressions replaced."""
    root = tree.get("project") if isinstance(tree, dict) else None
    if not isinstance(root, dict):
        if tree:
            diagnostics.add("", "no element `project` with elements in it")
        return {}
    parent = root.get("parent")
    for key in _INHERITED:
        if key not in root and isinstance(parent, dict) and key in parent:
            root = {**root, key: parent[key]}
    return _replaced(root, _known(root), "", diagnostics)


def coordinates(tree: Tree, _diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield the package URL of the project, and its name if it has no other one."""
    group, artifact = _text(tree, "groupId"), _text(tree, "artifactId")
    if group and artifact and (identifier := package_url("maven", f"{group}/{artifact}")):
        yield Property("identifier", identifier, "/artifactId", "groupId, artifactId → identifier")
    if artifact and not _text(tree, "name"):
        yield Property("name", artifact, "/artifactId", "artifactId → name")


def repository(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield the repository of `scm`: its URL, or else a connection."""
    scm = tree.get("scm") if isinstance(tree, dict) else None
    for key in ("url", "connection", "developerConnection"):
        if text := _text(scm, key):
            rule, place = f"scm/{key} → codeRepository", f"/scm/{key}"
            for found, where in reader_of("codeRepository")(text, place, diagnostics):
                yield Property("codeRepository", found, where, rule)
            return


def downloads(tree: Tree, _diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield the folder of the artifact in each repository that the project names (spec 6.3)."""
    group, artifact = _text(tree, "groupId"), _text(tree, "artifactId")
    for each, place in _elements(tree, ("repositories", "repository")):
        url = _text(each, "url").rstrip("/")
        folder = f"{url}/{group.replace('.', '/')}/{artifact}"
        if group and artifact and _text(each, "layout") in ("", "default") and is_iri(folder):
            yield Property("downloadUrl", folder, place, "repositories/repository → downloadUrl")


def dependencies(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield each dependency; those of tests and optional ones are suggestions."""
    for each, place in _elements(tree, ("dependencies", "dependency")):
        suggested = _text(each, "scope") == "test" or _text(each, "optional") == "true"
        term = "softwareSuggestions" if suggested else "softwareRequirements"
        for found, where in requirements("maven")(each, place, diagnostics):
            yield Property(term, found, where, f"dependencies/dependency → {term}")


def _elements(tree: Tree, steps: tuple[str, str]) -> Iterator[tuple[Tree, str]]:
    around = tree.get(steps[0]) if isinstance(tree, dict) else None
    found = around.get(steps[1]) if isinstance(around, dict) else None
    place = f"/{steps[0]}/{steps[1]}"
    if isinstance(found, list):
        yield from ((each, below(place, number)) for number, each in enumerate(found))
    elif found:
        yield found, place


def _text(tree: Tree, key: str) -> str:
    found = tree.get(key) if isinstance(tree, dict) else None
    return found if isinstance(found, str) else ""


def _known(root: dict[str, Tree]) -> Texts:
    """What expressions may stand for: properties, and elements of the project and its parent."""
    properties = root.get("properties")
    own = properties if isinstance(properties, dict) else {}
    known = {
        key: value
        for key, value in own.items()
        if isinstance(value, str) and len(value) <= MAX_PROPERTY
    }
    for start, element in (("project.parent.", root.get("parent")), ("project.", root)):
        for key, value in element.items() if isinstance(element, dict) else ():
            if isinstance(value, str) and len(value) <= MAX_PROPERTY:
                known[start + key] = value
    for key in ("groupId", "artifactId", "version", "name", "url"):
        # Old spellings of the same elements, in files for Maven 1 and 2.
        if value := known.get(f"project.{key}"):
            known.setdefault(f"pom.{key}", value)
            known.setdefault(key, value)
    return known


def _replaced(value: Tree, known: Texts, place: str, diagnostics: Diagnostics) -> Tree:
    if isinstance(value, dict):
        return {
            key: _replaced(item, known, below(place, key), diagnostics)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [
            _replaced(item, known, below(place, number), diagnostics)
            for number, item in enumerate(value)
        ]
    if isinstance(value, str) and "${" in value and len(value) <= MAX_LENGTH:
        return _interpolated(value, known, place, diagnostics)
    return value


def _interpolated(text: str, known: Texts, place: str, diagnostics: Diagnostics) -> str:
    found = text
    for _ in range(MAX_ROUNDS):
        longer = _EXPRESSION.sub(lambda match: known.get(match[1], match[0]), found)
        if longer == found or len(longer) > MAX_LENGTH:
            break
        found = longer
    if "${" in found:
        diagnostics.add(place, "an expression that this file doesn't explain: kept", text)
    return found


MAVEN = ManifestFormat(
    "maven",
    "MavenMapping",
    ("pom.xml",),
    read_xml,
    column="Java (Maven)",
    rules=(
        KeyRule("url", "url"),
        KeyRule("groupId", "identifier", identifiers),
        KeyRule("licenses/license", "license"),
        KeyRule("developers/developer", "author"),
        KeyRule("contributors/contributor", "contributor"),
        KeyRule("organization", "producer"),
        KeyRule("inceptionYear", "dateCreated"),
        KeyRule("issueManagement/url", "issueTracker", links),
        KeyRule("ciManagement/url", "continuousIntegration", links),
        KeyRule("distributionManagement/downloadUrl", "downloadUrl", links),
    ),
    specials=(
        SpecialRule(coordinates, ("identifier", "name"), ("artifactId", "groupId")),
        SpecialRule(repository, ("codeRepository",), ("scm",)),
        SpecialRule(downloads, ("downloadUrl",), ("repositories",)),
        SpecialRule(
            dependencies, ("softwareRequirements", "softwareSuggestions"), ("dependencies",)
        ),
    ),
    without=frozenset({"scm", "repositories", "ciManagement", "issueManagement", "prerequisites"}),
    prepare=project,
)
