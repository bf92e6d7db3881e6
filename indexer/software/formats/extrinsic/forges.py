"""Metadata that forges have of a repository: GitHub, and Gitea or Gogs."""

from collections.abc import Iterator

from indexer.software.readings.licences import licences
from indexer.software.readings.links import is_iri
from indexer.software.rules.key_rule import KeyRule, Readings
from indexer.software.rules.manifest_format import ManifestFormat, SpecialRule
from indexer.software.rules.property import Diagnostics, Property
from indexer.software.syntax.json_file import read_json
from indexer.software.syntax.tree import Tree, kind

FORGE = "https://forgefed.org/ns#"
ACTIVITY = "https://www.w3.org/ns/activitystreams#"
_COUNT = "http://www.w3.org/2001/XMLSchema#nonNegativeInteger"

RANK = 5
"""Forges are trusted last: nobody who wrote the software need have written what they tell."""


def repository(tree: Tree, diagnostics: Diagnostics) -> Tree:
    """Return the repository, or nothing if it doesn't tell its own address."""
    url = tree.get("html_url") if isinstance(tree, dict) else None
    if isinstance(url, str) and is_iri(url):
        return tree
    if tree:
        diagnostics.add("/html_url", "no address of the repository")
    return {}


def node(tree: Tree, _diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield the identity and the type of the repository."""
    if isinstance(tree, dict) and "html_url" in tree:
        yield Property("id", tree["html_url"], "/html_url", "html_url → id")
        yield Property("type", f"{FORGE}Repository", "", "type of the format")
        if tree.get("has_issues") is True:
            place, rule = "/has_issues", "html_url, has_issues → issueTracker"
            yield Property("issueTracker", f"{tree['html_url']}/issues", place, rule)
        if tree.get("archived") is True:
            rule = "archived → developmentStatus"
            yield Property("developmentStatus", "archived", "/archived", rule)


def count(value: Tree, place: str, diagnostics: Diagnostics) -> Readings:
    """Yield a number of people or forks as a collection of that size."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        size: Tree = {"type": _COUNT, "@value": str(value)}
        yield {"type": f"{ACTIVITY}OrderedCollection", f"{ACTIVITY}totalItems": size}, place
    elif value is not None:
        diagnostics.add(place, f"{kind(value)}, where a count belongs", value)


def licence(value: Tree, place: str, diagnostics: Diagnostics) -> Readings:
    """Yield the licence that a forge has recognised."""
    if value in ("NOASSERTION", "NONE"):
        diagnostics.add(place, "the forge recognised no licence", value)
    else:
        yield from licences(value, place, diagnostics)


def parent(value: Tree, place: str, diagnostics: Diagnostics) -> Readings:
    """Yield the repository that another one is forked from."""
    url = value.get("html_url") if isinstance(value, dict) else value
    if isinstance(url, str) and is_iri(url):
        yield {"id": url}, place
    elif value is not None:
        diagnostics.add(place, "no address of the repository that it is forked from", url)


def owner(value: Tree, place: str, diagnostics: Diagnostics) -> Readings:
    """Yield the account that a repository belongs to."""
    name = value.get("login") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(name, str) or not name:
        if value is not None:
            diagnostics.add(place, "no account")
        return
    found: dict[str, Tree] = {"type": "Person", "name": name}
    if value.get("type") == "Organization":
        found["type"] = "Organization"
    if isinstance(url := value.get("html_url"), str) and is_iri(url):
        found["url"] = url
    yield found, place


_SHARED = (
    KeyRule("description", "description"),
    KeyRule("clone_url", "codeRepository"),
    KeyRule("created_at", "dateCreated"),
    KeyRule("updated_at", "dateModified"),
    KeyRule("language", "programmingLanguage"),
    KeyRule("topics", "keywords"),
    KeyRule("forks_count", f"{FORGE}forks", count),
    KeyRule("parent", f"{FORGE}forkedFrom", parent),
    KeyRule("owner", "producer", owner),
)

_NODE = (
    SpecialRule(
        node,
        ("id", "type", "issueTracker", "developmentStatus"),
        ("html_url", "has_issues", "archived"),
    ),
)

GITHUB = ManifestFormat(
    "github",
    "GitHubMapping",
    (),
    read_json,
    rules=(
        *_SHARED,
        KeyRule("full_name", "name"),
        KeyRule("homepage", "url"),
        KeyRule("license/spdx_id", "license", licence),
        KeyRule("stargazers_count", f"{ACTIVITY}likes", count),
        KeyRule("subscribers_count", f"{ACTIVITY}followers", count),
    ),
    specials=_NODE,
    prepare=repository,
    rank=RANK,
)

GITEA = ManifestFormat(
    "gitea",
    "GiteaMapping",
    (),
    read_json,
    rules=(
        *_SHARED,
        KeyRule("name", "name"),
        KeyRule("website", "url"),
        KeyRule("stars_count", f"{ACTIVITY}likes", count),
        KeyRule("watchers_count", f"{ACTIVITY}followers", count),
    ),
    specials=_NODE,
    prepare=repository,
    rank=RANK,
)
