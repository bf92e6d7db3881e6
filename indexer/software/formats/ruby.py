"""Gemspecs: a gem's specification, in Ruby or in YAML."""

from collections.abc import Iterator

from indexer.software.readings.labelled_links import ALL_TERMS, term_of
from indexer.software.readings.people import people
from indexer.software.readings.requirements import requirements
from indexer.software.readings.texts import texts
from indexer.software.rules.key_rule import KeyRule
from indexer.software.rules.manifest_format import ManifestFormat, SpecialRule
from indexer.software.rules.property import Diagnostics, Property
from indexer.software.syntax.ruby.gemspec import DEPENDENCIES, UNKNOWN, read_gemspec
from indexer.software.syntax.tree import Tree, below
from indexer.software.translation.term_readers import reader_of

_SOURCE = "source_code_uri"


def specification(tree: Tree, diagnostics: Diagnostics) -> Tree:
    """Return the attributes, with a diagnostic for each value that only the code knows."""
    if not isinstance(tree, dict):
        return tree
    unknown = tree.get(UNKNOWN)
    for name in unknown if isinstance(unknown, list) else ():
        diagnostics.add(f"/{name}", "only running the code would tell the value")
    return {key: _unwrapped(value) for key, value in tree.items() if key != UNKNOWN}


def _unwrapped(value: Tree) -> Tree:
    # In YAML a version is an object of `Gem::Version`.
    if isinstance(value, dict) and value.keys() == {"version"}:
        return value["version"]
    return value


def authors(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield each author; e-mail addresses belong to authors if there are equally many of both."""
    if not isinstance(tree, dict):
        return
    key = "authors" if tree.get("authors") else "author"
    names, addresses = (_texts(tree.get(each), diagnostics) for each in (key, "email"))
    paired = len(names) == len(addresses)
    for number, name in enumerate(names):
        given: Tree = {"name": name, "email": addresses[number]} if paired else name
        for value, _ in people(given, below(f"/{key}", number), diagnostics):
            yield Property("author", value, below(f"/{key}", number), f"{key}, email → author")
    for address in () if paired else addresses:
        yield Property("email", address, "/email", "email → email")


def _texts(value: Tree, diagnostics: Diagnostics) -> list[str]:
    # A list in a list is no name of a person: it is skipped (spec 6.5).
    flat: Tree = value
    if isinstance(value, list):
        flat = [each for each in value if isinstance(each, str)]
    return [str(text) for text, _ in texts(flat, "", diagnostics)]


def addresses(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield the links of `metadata`; without one to the source, the homepage stands for it."""
    metadata = tree.get("metadata") if isinstance(tree, dict) else None
    known = metadata if isinstance(metadata, dict) else {}
    for label, url in known.items():
        if label.endswith("_uri"):
            term = term_of(label)
            for value, place in reader_of(term)(url, below("/metadata", label), diagnostics):
                yield Property(term, value, place, f"metadata/{label} → {term}")
    if isinstance(tree, dict) and _SOURCE not in known:
        for value, place in reader_of("codeRepository")(
            tree.get("homepage"), "/homepage", Diagnostics()
        ):
            if isinstance(value, str):
                yield Property("codeRepository", value, place, "homepage → codeRepository")


def dependencies(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield each dependency; those of development are suggestions."""
    calls = tree.get(DEPENDENCIES) if isinstance(tree, dict) else None
    for number, call in enumerate(calls if isinstance(calls, list) else ()):
        place = below(f"/{DEPENDENCIES}", number)
        development = isinstance(call, dict) and "development" in str(call.get("type"))
        term = "softwareSuggestions" if development else "softwareRequirements"
        for found, where in requirements("gem")([call], place, diagnostics):
            yield Property(term, found, where.removesuffix("/0"), f"dependency → {term}")


def ruby_version(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    """Yield the versions of Ruby that a constraint allows."""
    versions = [str(text) for text, _ in texts(value, place, diagnostics)]
    if versions:
        yield f"Ruby {', '.join(versions)}", place


GEMSPEC = ManifestFormat(
    "gemspec",
    "GemspecMapping",
    ("*.gemspec",),
    read_gemspec,
    column="Ruby Gem",
    rules=(
        KeyRule("homepage", "url"),
        KeyRule("required_ruby_version", "runtimePlatform", ruby_version),
        KeyRule("date", "datePublished"),
    ),
    specials=(
        SpecialRule(authors, ("author", "email"), ("author", "authors", "email")),
        SpecialRule(addresses, ("codeRepository", *ALL_TERMS), ("metadata", "homepage")),
        SpecialRule(dependencies, ("softwareRequirements", "softwareSuggestions"), (DEPENDENCIES,)),
    ),
    without=frozenset({"author", "authors", "add_runtime_dependency"})
    | {"add_development_dependency", "requirements"},
    prepare=specification,
)
