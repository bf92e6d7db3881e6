"""Requirements: the packages that a project needs, in the shapes of package managers."""

import re
from collections.abc import Iterator
from functools import cache

from indexer.software.readings.package_urls import package_url
from indexer.software.rules.key_rule import Readings, ValueReader
from indexer.software.rules.property import Diagnostics
from indexer.software.syntax.tree import Tree, below, kind

NAMES = ("name", "id", "artifactId", "package")
"""Keys of an object that name its package."""

VERSIONS = ("version", "constraint")
"""Keys of an object that say which versions fit."""

DESCRIBED = frozenset({"maven", "nuget"})
"""Types of packages whose requirements are objects with these keys, also one alone."""

SOURCES = frozenset({"git", "path", "url", "sdk", "hosted", "workspace", "file", "github"})
"""Keys of an object that tell that its package comes from no public registry."""

_TEXT = re.compile(r"(@?\w[\w.+/-]*)(?::\w+)?\s*(?:\[[^\[\]]*\])?\s*", re.ASCII)
_CONSTRAINT = re.compile(r"[=<>~!^*]|v?\d")
_RESTRICTIONS = re.compile(r"\[[^\[\]]*\]|<!?[\w.]+>")
_LIST = re.compile(r"[,\n]")
_EXTRA = re.compile(r"\bextra\s*==")


@cache
def requirements(package_type: str = "", is_optional: bool = False) -> ValueReader:
    """Return a reader of requirements of a type of packages, as package URLs name it: `npm`.

    It reads objects with a constraint for each name (npm, Composer, Cargo, pub), lists of texts
    (`requests>=2; python_version<"3"`), lists of objects (Maven, NuGet), and texts with commas
    (`R (>= 4.0), methods`; those of `pypi` are separated by lines). `is_optional`: read only the
    texts that belong to an extra of Python, which are left out otherwise.
    """

    def read(value: Tree, place: str, diagnostics: Diagnostics) -> Readings:
        return _requirements(value, place, diagnostics, package_type, is_optional)

    return read


def platforms(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    """Yield each platform as a text with the versions that fit, such as `node >=18`."""
    if isinstance(value, dict):
        for name, constraint in value.items():
            version = _version(constraint)
            yield f"{name} {version}" if version else name, below(place, name)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from platforms(item, below(place, number), diagnostics)
    elif isinstance(value, str):
        if text := value.strip():
            yield text, place
    elif value is not None:
        diagnostics.add(place, f"{kind(value)}, where a platform belongs", value)


def _requirements(
    value: Tree, place: str, diagnostics: Diagnostics, package_type: str, is_optional: bool
) -> Iterator[tuple[Tree, str]]:
    if isinstance(value, dict) and package_type not in DESCRIBED:
        for name, constraint in value.items():
            if name.strip():
                yield _named(name, constraint, package_type), below(place, name)
            else:
                diagnostics.add(below(place, name), "a requirement without a name", constraint)
        return
    items = [(value, place)]
    if isinstance(value, list):
        items = [(item, below(place, number)) for number, item in enumerate(value)]
    elif isinstance(value, str):
        pieces = value.splitlines() if package_type == "pypi" else _LIST.split(value)
        items = [(piece, place) for piece in pieces]
    for item, where in items:
        if isinstance(item, dict):
            yield from _object(item, where, diagnostics, package_type)
        elif isinstance(item, str):
            yield from _text(item, where, diagnostics, package_type, is_optional)
        elif item is not None:
            diagnostics.add(where, f"{kind(item)}, where a requirement belongs", item)


def _named(name: str, constraint: Tree, package_type: str) -> Tree:
    """The requirement that a key and its value state."""
    if isinstance(constraint, str):
        is_in_registry = ":" not in constraint and "/" not in constraint
        return _requirement(name, constraint.strip(), package_type if is_in_registry else "")
    if isinstance(constraint, dict):
        is_in_registry = SOURCES.isdisjoint(constraint)
        renamed = constraint.get("package")
        name = renamed if isinstance(renamed, str) and renamed else name
        package_type = package_type if is_in_registry else ""
    return _requirement(name, _version(constraint), package_type)


def _object(
    value: dict[str, Tree], place: str, diagnostics: Diagnostics, package_type: str
) -> Iterator[tuple[Tree, str]]:
    """The requirement that an object with a name states."""
    name = next((each for key in NAMES if isinstance(each := value.get(key), str) and each), "")
    if not name.strip():
        diagnostics.add(place, "a requirement without a name", value)
        return
    group = value.get("groupId")
    name = f"{group}/{name}" if isinstance(group, str) and group else name
    yield _requirement(name, _version(value), package_type), place


def _text(
    text: str, place: str, diagnostics: Diagnostics, package_type: str, is_optional: bool
) -> Iterator[tuple[Tree, str]]:
    """The requirement that a text states, if it is one of the wanted kind."""
    text, _, marker = text.strip().partition(";")
    if not text or is_optional != bool(_EXTRA.search(marker)):
        return
    first, *others = text.split("|")
    for other in others:
        if other.strip():
            diagnostics.add(place, "not kept: an alternative to a requirement", other.strip())
    named = _TEXT.match(first.strip())
    if named is None:
        diagnostics.add(place, "not the name of a package", text)
        return
    rest = _RESTRICTIONS.sub("", first.strip()[named.end() :]).strip()
    if rest.startswith("@"):  # PEP 508: the URL of the package
        yield _requirement(named[1], "", ""), place
    elif rest.startswith("("):
        yield _requirement(named[1], rest.strip("() "), package_type), place
    elif not rest or _CONSTRAINT.match(rest):
        yield _requirement(named[1], rest, package_type), place
    else:  # a sentence, such as `GNU make`
        yield _requirement(first.strip(), "", ""), place


def _requirement(name: str, version: str, package_type: str) -> Tree:
    found: dict[str, Tree] = {"type": "SoftwareApplication", "name": name}
    if version:
        found["version"] = version
    if identifier := package_url(package_type, name):
        found["identifier"] = identifier
    return found


def _version(constraint: Tree) -> str:
    """The constraint of a value of any shape, as it is written, or ""."""
    if isinstance(constraint, dict):
        return next((each for key in VERSIONS if (each := _version(constraint.get(key)))), "")
    if isinstance(constraint, list):
        return ", ".join(each for item in constraint if (each := _version(item)))
    if isinstance(constraint, str):
        return constraint.strip()
    is_number = isinstance(constraint, int | float) and not isinstance(constraint, bool)
    return str(constraint) if is_number else ""
