"""debian/control: source packages of Debian, and the binary packages that they make."""

from collections.abc import Iterator

from indexer.software.readings.links import is_iri, literal
from indexer.software.readings.requirements import requirements
from indexer.software.readings.texts import texts
from indexer.software.rules.key_rule import KeyRule, Readings
from indexer.software.rules.manifest_format import ManifestFormat, SpecialRule
from indexer.software.rules.property import Diagnostics, Property
from indexer.software.syntax.headers import read_debian_control
from indexer.software.syntax.tree import Tree
from indexer.software.translation.term_readers import reader_of


def paragraphs(tree: Tree, _diagnostics: Diagnostics) -> Tree:
    """Return the fields of the source package, and the others under `packages`."""
    if not isinstance(tree, list) or not tree:
        return {}
    source = tree[0]
    return {**source, "packages": tree[1:]} if isinstance(source, dict) else {}


def description(tree: Tree, _diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield the description of the source, or else of the first binary package."""
    if not isinstance(tree, dict):
        return
    packages = tree.get("packages")
    candidates = [tree, *(packages if isinstance(packages, list) else [])]
    for number, each in enumerate(candidates):
        text = each.get("description") if isinstance(each, dict) else None
        if isinstance(text, str) and text:
            place = "/description" if not number else f"/packages/{number - 1}/description"
            yield Property("description", text, place, "description → description")
            return


def repositories(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield the repository of `Vcs-Git` and the like, without its branch and folder."""
    for key, value in tree.items() if isinstance(tree, dict) else ():
        if key.startswith("vcs-") and key != "vcs-browser" and isinstance(value, str):
            url = value.split()[0] if value.split() else ""
            for found, place in reader_of("codeRepository")(url, f"/{key}", diagnostics):
                yield Property("codeRepository", found, place, f"{key} → codeRepository")


def category(value: Tree, place: str, diagnostics: Diagnostics) -> Readings:
    """Yield the section as a literal."""
    for text, where in texts(value, place, diagnostics):
        yield (text if is_iri(str(text)) else literal(str(text))), where


CONTROL = ManifestFormat(
    "debian-control",
    "DebianControlMapping",
    ("debian/control",),
    read_debian_control,
    rules=(
        KeyRule("source", "name"),
        KeyRule("homepage", "url"),
        KeyRule("section", "applicationCategory", category),
        KeyRule("maintainer", "maintainer"),
        KeyRule("uploaders", "maintainer"),
        KeyRule("vcs-browser", "relatedLink"),
        KeyRule("build-depends", "softwareRequirements", requirements("deb")),
        KeyRule("build-depends-indep", "softwareRequirements", requirements("deb")),
        KeyRule("packages/depends", "softwareRequirements", requirements("deb")),
        KeyRule("packages/recommends", "softwareSuggestions", requirements("deb")),
        KeyRule("packages/suggests", "softwareSuggestions", requirements("deb")),
    ),
    specials=(
        SpecialRule(description, ("description",), ("description",)),
        SpecialRule(
            repositories,
            ("codeRepository",),
            tuple(f"vcs-{each}" for each in ("git", "svn", "hg", "bzr", "cvs", "darcs")),
        ),
    ),
    prepare=paragraphs,
)
