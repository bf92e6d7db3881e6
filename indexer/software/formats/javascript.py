"""Manifests of JavaScript: package.json."""

from collections.abc import Iterator

from indexer.software.readings.links import links_of_objects
from indexer.software.readings.repositories import npm_repositories
from indexer.software.readings.requirements import requirements
from indexer.software.readings.texts import strings
from indexer.software.rules.key_rule import KeyRule
from indexer.software.rules.manifest_format import ManifestFormat, SpecialRule
from indexer.software.rules.property import Diagnostics, Property
from indexer.software.syntax.json_file import read_json
from indexer.software.syntax.tree import Tree, below, kind

_BROKEN = "\ufffd\ufffd"
"""What is left of the byte order mark of UTF-16 in a text that was read as UTF-8."""


def descriptions(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    """Yield each description; that of a README in UTF-16, copied by npm, is mended (spec 6.2)."""
    if not isinstance(value, str) or not (value.startswith(_BROKEN) and "\0" in value):
        yield from strings(value, place, diagnostics)
    elif mended := _from_utf16(value.removeprefix(_BROKEN)):
        yield mended, place
    else:
        diagnostics.add(place, "a text of a broken encoding", value)


def _from_utf16(text: str) -> str | None:
    # The first character is ASCII, since a README begins with `# ` or a Latin letter.
    encoding = "utf-16-be" if text.startswith("\0") else "utf-16-le"
    try:
        found = text.encode("ascii").decode(encoding)
    except UnicodeError:
        return None
    return found.removeprefix("# ").strip()


def commands(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield the programs in `bin`: a text is the program that is named as the package."""
    found = tree.get("bin") if isinstance(tree, dict) else None
    if found is None or not isinstance(tree, dict):
        return
    if isinstance(found, dict):
        named = [(name, below("/bin", name)) for name in found if name.strip()]
    elif isinstance(found, str) and isinstance(package := tree.get("name"), str) and package:
        named = [(package.rpartition("/")[2], "/bin")]
    else:
        diagnostics.add("/bin", f"{kind(found)}, where programs belong", found)
        return
    for name, place in named:
        value: Tree = {"type": "SoftwareApplication", "name": name}
        yield Property("targetProduct", value, place, "bin → targetProduct (own table)")


def publication(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
    """Tell that a package is private; CodeMeta has no term for it."""
    if isinstance(tree, dict) and tree.get("private"):
        diagnostics.add("/private", "not published in the registry: no term for this", "true")
    yield from ()


NPM = ManifestFormat(
    "npm",
    "NpmMapping",
    ("package.json",),
    read_json,
    column="NodeJS",
    rules=(
        KeyRule("name", "name", strings),
        KeyRule("version", "version", strings),
        KeyRule("description", "description", descriptions),
        KeyRule("repository", "codeRepository", npm_repositories),
        KeyRule("licenses", "license"),
        KeyRule("maintainers", "maintainer"),
        KeyRule("dependencies", "softwareRequirements", requirements("npm")),
        KeyRule("peerDependencies", "softwareRequirements", requirements("npm")),
        KeyRule("devDependencies", "softwareSuggestions", requirements("npm")),
        KeyRule("optionalDependencies", "softwareSuggestions", requirements("npm")),
        KeyRule("funding", "funding", links_of_objects),
        KeyRule("directories/doc", "softwareHelp"),
        KeyRule("directories/man", "softwareHelp"),
    ),
    specials=(
        SpecialRule(commands, ("targetProduct",), ("bin",)),
        SpecialRule(publication, (), ("private",)),
    ),
    # Bundled packages are in `dependencies`, too, with their versions.
    without=frozenset({"bundledDependencies", "bundleDependencies"}),
)
