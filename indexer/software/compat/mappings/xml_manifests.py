"""Manifests in XML: pom.xml and *.nuspec."""

import re
from collections.abc import Iterator

from indexer.software.compat.jsonld.node import Value
from indexer.software.compat.keys.key_table import KeyTable
from indexer.software.compat.keys.values import (
    Values,
    licence,
    link,
    links,
    ordered,
    person,
    text,
    texts,
)
from indexer.software.compat.syntaxes.xml import read_xml
from indexer.software.syntax.tree import Tree

_COMPOUND = re.compile(r"[()]| (?:and|with) ", re.IGNORECASE)
_OR = re.compile(" or ", re.IGNORECASE)
_MAVEN = "maven.apache.org"
_CENTRAL = f"https://repo.{_MAVEN}/maven2/"


def _project(content: bytes) -> Tree:
    tree = read_xml(content)
    project = tree.get("project") if isinstance(tree, dict) else None
    return project if isinstance(project, dict) else {}


def _objects(value: Tree, name: str) -> Iterator[dict[str, Tree]]:
    """The elements of a name in another one, those that have attributes or children."""
    inner = value.get(name) if isinstance(value, dict) else None
    for each in inner if isinstance(inner, list) else [inner]:
        if isinstance(each, dict):
            yield each


def _maven_licences(value: Tree) -> Iterator[Value]:
    for each in _objects(value, "license"):
        yield from link(each.get("url"))


def _artifact_directories(project: dict[str, Tree]) -> Iterator[tuple[str, Value]]:
    """The directory of the artifact in each repository (spec 6.3, before its Trap)."""
    group, artifact = project.get("groupId"), project.get("artifactId")
    if not isinstance(group, str) or not isinstance(artifact, str):
        return
    repositories = project.get("repositories")
    default: list[dict[str, Tree]] = [{"url": _CENTRAL}]
    for each in _objects(repositories, "repository") if repositories else default:
        url = each.get("url")
        if isinstance(url, str) and each.get("layout", "default") == "default":
            place = f"{url.rstrip('/')}/{group.replace('.', '/')}/{artifact}"
            yield from (("schema:codeRepository", found) for found in _whole_link(place))


def _whole_link(url: str) -> Values:
    return () if "${" in url else link(url)


MAVEN = KeyTable(
    _project,
    column="Java (Maven)",
    terms={"licenses": "schema:license"},
    readers={
        **dict.fromkeys(("name", "version", "description"), texts),
        "groupId": text,
        "licenses": _maven_licences,
    },
    whole=_artifact_directories,
    whole_terms=("schema:codeRepository",),
)


def _package(content: bytes) -> Tree:
    tree = read_xml(content)
    package = tree.get("package") if isinstance(tree, dict) else None
    metadata = package.get("metadata") if isinstance(package, dict) else None
    return metadata if isinstance(metadata, dict) else {}


def _nuget_licence(value: Tree) -> Iterator[Value]:
    match value:
        case {"@type": "expression", "#text": str(expression)} if not _COMPOUND.search(expression):
            for each in _OR.split(expression):
                yield from licence(each)


def _nuget_repository(value: Tree) -> Values:
    return link(value.get("@url") if isinstance(value, dict) else None)


def _nuget_authors(value: Tree) -> Values:
    names = value.split(",") if isinstance(value, str) else []
    return ordered(person(name=each.strip()) for each in names) if names else ()


def _tags(value: Tree) -> Values:
    return texts(value.split(" ")) if isinstance(value, str) else ()  # type: ignore[arg-type]


NUGET = KeyTable(
    _package,
    terms={
        "name": "schema:name",
        "version": "schema:version",
        "description": "schema:description",
        "summary": "schema:description",
        "authors": "schema:author",
        "tags": "schema:keywords",
        "projectUrl": "schema:url",
        "repository": "schema:codeRepository",
        "license": "schema:license",
        "licenseUrl": "schema:license",
        "releaseNotes": "schema:releaseNotes",
        "copyright": "schema:copyrightNotice",
        "language": "schema:inLanguage",
    },
    readers={
        **dict.fromkeys(("name", "version", "description", "summary"), texts),
        **dict.fromkeys(("releaseNotes", "copyright", "language"), text),
        **dict.fromkeys(("projectUrl", "licenseUrl"), links),
        "authors": _nuget_authors,
        "tags": _tags,
        "repository": _nuget_repository,
        "license": _nuget_licence,
    },
)
