"""Places of source code: URLs, the short forms of package managers, and objects with a URL."""

import re
from collections.abc import Iterator
from functools import partial

from indexer.software.readings.links import is_iri, literal
from indexer.software.rules.property import Diagnostics
from indexer.software.syntax.tree import Tree, below, kind

HOSTS = {
    "github": "github.com",
    "gitlab": "gitlab.com",
    "bitbucket": "bitbucket.org",
    "gist": "gist.github.com",
}
"""The hosts that short forms name."""

_AT_FORGE = re.compile(
    r"https?://(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)/[\w.-]+/[\w.-]+/?",
    re.IGNORECASE,
)
_SHORT = re.compile(r"(github|gitlab|bitbucket|gist):(?!/)([\w.~/-]+)")
_OWNER_AND_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[\w.-]+")
_SCP = re.compile(r"(?:([\w.-]+)@)?([A-Za-z0-9][\w-]*(?:\.[\w-]+)+):/?(?!/)([\w.~/+-]+)")
_MAVEN = re.compile(r"^scm:[a-z]+[:|]", re.IGNORECASE)


def is_at_forge(url: str) -> bool:
    """Whether a URL is that of a repository at a forge, and not of a page about it."""
    return _AT_FORGE.fullmatch(url) is not None


def repositories(
    value: Tree, place: str, diagnostics: Diagnostics, has_owners: bool = False
) -> Iterator[tuple[Tree, str]]:
    """Yield the place of the source code as a URL (spec 6.2, 6.3); another text stays a literal.

    Short forms (`github:a/b`), the form of scp (`git@a.example:b.git`) and the prefixes of Maven
    (`scm:git:`) become URLs; branches and credentials are removed. `has_owners`: whether `a/b` is a
    repository of GitHub, as in package.json.
    """
    if isinstance(value, str):
        if text := value.strip():
            yield _repository(text, "", place, diagnostics, has_owners), place
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from repositories(item, below(place, number), diagnostics, has_owners)
    elif isinstance(value, dict):
        yield from _object(value, place, diagnostics, has_owners)
    elif value is not None:
        diagnostics.add(place, f"{kind(value)}, where a repository belongs", value)


npm_repositories = partial(repositories, has_owners=True)
"""Reads `repository` of package.json, where `a/b` is a repository of GitHub."""


def _object(
    value: dict[str, Tree], place: str, diagnostics: Diagnostics, has_owners: bool
) -> Iterator[tuple[Tree, str]]:
    url, system = value.get("url"), value.get("type")
    if not isinstance(url, str) or not url.strip():
        diagnostics.add(place, "an object without the URL of a repository", url or "")
        return
    system = system.strip().lower() if isinstance(system, str) else ""
    where = below(place, "url")
    yield _repository(url.strip(), system, where, diagnostics, has_owners), where
    for key in value:
        if key not in ("url", "type"):
            diagnostics.add(below(place, key), "not kept: no such property of a repository", key)


def _repository(
    text: str, system: str, place: str, diagnostics: Diagnostics, has_owners: bool
) -> Tree:
    plain = _MAVEN.sub("", text).partition("#")[0].strip()
    url = _long_form(plain, has_owners) or plain
    url = _without_credentials(url, place, diagnostics)
    if "://" in url and is_iri(url):
        return _with_system(url, system)
    diagnostics.add(place, "no URL of a repository: kept as a text", url)
    return literal(url)


def _long_form(text: str, has_owners: bool) -> str | None:
    """The URL for a short form, or None."""
    if "://" in text:
        return None
    if short := _SHORT.fullmatch(text):
        return _of_host(HOSTS[short[1]], short[2])
    if has_owners and _OWNER_AND_NAME.fullmatch(text):
        return _of_host(HOSTS["github"], text)
    if remote := _SCP.fullmatch(text):
        user = f"{remote[1]}@" if remote[1] else ""
        return f"git+ssh://{user}{remote[2]}/{remote[3]}"
    return None


def _of_host(host: str, path: str) -> str:
    return f"git+https://{host}/{path.removesuffix('.git')}.git"


def _with_system(url: str, system: str) -> str:
    """The URL with the version control system before its scheme, as in `git+https`, once."""
    scheme = url.partition(":")[0]
    if system not in ("git", "svn", "hg", "bzr", "cvs") or system in scheme or "+" in scheme:
        return url
    return f"{system}+{url}"


def _without_credentials(url: str, place: str, diagnostics: Diagnostics) -> str:
    # Only the user of ssh is a part of the address; a password or a token never is.
    scheme, separator, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    user, at, host = authority.rpartition("@")
    if not separator or not at:
        return url
    if "ssh" in scheme and ":" not in user:
        return url
    diagnostics.add(place, "credentials removed from a URL")
    kept = f"{user.partition(':')[0]}@" if "ssh" in scheme else ""
    return f"{scheme}://{kept}{host}{slash}{path}"
