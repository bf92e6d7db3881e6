"""Package URLs (purl) of requirements, such as `pkg:npm/%40scope/name`."""

import re
from urllib.parse import quote

LOWER = frozenset({"npm", "pypi", "composer", "deb", "bower", "hex", "github"})
"""Types of packages whose names have small letters in package URLs."""

NAMESPACES = {"deb": "debian/"}
"""The namespace of types of packages whose names have none."""

NO_PACKAGES = {
    "cran": frozenset({"R"}),
    "pypi": frozenset({"python"}),
    "cpan": frozenset({"perl"}),
    "gem": frozenset({"ruby"}),
}
"""Names of languages and programs that stand where packages are required."""

MAX_NAME = 256
"""The most characters of the name of a package."""

_NAME = re.compile(r"@?[\w.+:~-]+(?:/[\w.+:~-]+)*", re.ASCII)

_PLAIN = re.compile(r"@?[a-z0-9.-]+(?:/[a-z0-9.-]+)*")
"""A name whose characters are all written as they are; most of npm are."""


def package_url(package_type: str, name: str) -> str | None:
    """Return the package URL of a name, or None if no registry has packages of this name.

    A slash separates the namespace from the name; `package_type` "" has no registry.
    """
    if not package_type or len(name) > MAX_NAME:
        return None
    if package_type == "npm" and _PLAIN.fullmatch(name):  # quoting takes longer
        return f"pkg:npm/%40{name[1:]}" if name[0] == "@" else f"pkg:npm/{name}"
    if not _NAME.fullmatch(name):
        return None
    if name in NO_PACKAGES.get(package_type, ()):
        return None
    if package_type == "composer" and "/" not in name:  # `php` and its extensions
        return None
    plain = name.lower() if package_type in LOWER else name
    if package_type == "pypi":
        plain = plain.replace("_", "-")
    path = "/".join(quote(part, safe=":~") for part in plain.split("/"))
    return f"pkg:{package_type}/{NAMESPACES.get(package_type, '')}{path}"
