"""Canonical forms: values that mean the same have the same form, which is never shown."""

import re
import unicodedata
from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType

from indexer.software.syntax.tree import Tree

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)(.*)", re.DOTALL)
_DOI = re.compile(
    r"(?:doi:|https?://(?:dx\.|www\.)?doi\.org/)\s*(?:doi:)?(10\..+)", re.I | re.DOTALL
)
_SCM = re.compile(r"^(?:scm:)?(?:(?:git|hg|svn|bzr)[:+](?!//))?", re.I)
_SSH = re.compile(r"(?:[\w.-]+@)?([\w.-]+\.\w+):(?!//|\d+/)/?(.+)", re.DOTALL)
_VERSION = re.compile(r"[vV](?=\d)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?=$|[T ])")
_PORTS = {"http": ":80", "https": ":443"}


def canonical_form(term: str, value: Tree) -> Hashable:
    """Return the form in which equal values of a term are equal.

    An object is known by its `id`, `identifier` or name, and its version, else by all its fields.
    """
    match value:
        case {"@value": inner}:
            return canonical_form(term, inner)
        case dict():
            return _object_form(value)
        case list():
            return tuple(canonical_form(term, item) for item in value)
        case None:
            return ""
        case bool():
            return str(value).lower()
        case _:
            return _FORMS.get(term, _general)(str(value))


def url_form(url: str) -> str:
    """Return a URL without scheme (HTTP), default port and last slash; other texts are folded."""
    if doi := _DOI.fullmatch(url.strip()):
        return f"doi:{doi[1].casefold()}"
    if not (parts := _URL.fullmatch(url.strip())):
        return text_form(url)
    scheme, host, rest = parts[1].lower(), parts[2].lower(), parts[3].rstrip("/")
    host = host.removesuffix(_PORTS.get(scheme, " "))
    return f"{'' if scheme in _PORTS else scheme + ':'}//{host}{rest}"


def repository_form(url: str) -> str:
    """Return host and path of a repository's URL, in any of the forms that its programs know.

    `git+https://h/a/b.git`, `git@h:a/b`, `scm:git:ssh://git@h/a/b` and `https://h/a/b/` are one.
    """
    bare = _SCM.sub("", url.strip(), count=1)
    if parts := _URL.fullmatch(bare):
        host, path = parts[2].rpartition("@")[2], parts[3]
    elif short := _SSH.fullmatch(bare):
        host, path = short[1], f"/{short[2]}"
    else:
        return text_form(url)
    # The hosts of most repositories don't distinguish the case of letters in their paths.
    path = path.partition("#")[0].rstrip("/").casefold().removesuffix(".git")
    return f"{host.casefold().removeprefix('www.')}{path}"


def text_form(text: str) -> str:
    """Return a text with single blanks."""
    return " ".join(text.split())


def name_form(name: str) -> str:
    """Return a name without accents, case and punctuation; `Doe, Jane` is `jane doe`."""
    family, comma, given = name.partition(",")
    if comma and "," not in given:
        name = f"{given} {family}"
    bare = unicodedata.normalize("NFKD", name)
    letters = "".join(c for c in bare if not unicodedata.combining(c)).casefold()
    return " ".join(re.findall(r"\w+", letters))


def _general(text: str) -> str:
    return url_form(text) if "://" in text or text[:4].lower() == "doi:" else text_form(text)


def _folded(text: str) -> str:
    return text_form(text).casefold()


def _version(text: str) -> str:
    return _VERSION.sub("", text.strip(), count=1)


def day_of(value: Tree) -> str:
    """Return the day of a date, or of a date and time (ISO 8601); an empty text if it is none."""
    day = _DAY.match(value.strip()) if isinstance(value, str) else None
    return day[0] if day else ""


def _day(text: str) -> str:
    return day_of(text) or text_form(text)


def _licence(text: str) -> str:
    return url_form(text).removesuffix(".html").casefold()


_DATES = ("dateCreated", "dateModified", "datePublished", "embargoEndDate")

_FORMS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "codeRepository": repository_form,
        "keywords": _folded,
        "license": _licence,
        "version": _version,
        "softwareVersion": _version,
        "programmingLanguage": _folded,
        **dict.fromkeys(_DATES, _day),
    }
)
"""The forms of texts by term; that of other terms is that of a URL or a text."""


def _object_form(value: Mapping[str, Tree]) -> Hashable:
    version = canonical_form("version", value.get("version"))
    for key in ("id", "@id", "identifier"):
        if isinstance(name := value.get(key), str):
            return (_general(name), version) if version else _general(name)
    if isinstance(name := value.get("name"), str):
        return (_folded(name), version) if version else _folded(name)
    return tuple(sorted((key, str(canonical_form(key, each))) for key, each in value.items()))
