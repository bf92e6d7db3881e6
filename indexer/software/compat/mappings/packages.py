"""Manifests in JSON and YAML: package.json, composer.json, pubspec.yaml."""

import re
from collections.abc import Iterator
from typing import Final

from indexer.software.compat.jsonld.node import Value
from indexer.software.compat.keys.key_table import KeyTable
from indexer.software.compat.keys.values import (
    Values,
    licence,
    link,
    links,
    literal,
    ordered,
    person,
    texts,
    words,
)
from indexer.software.compat.syntaxes.texts import read_json, read_yaml
from indexer.software.syntax.tree import Tree

_HOSTS: Final = {"github": "github.com", "gist": "gist.github.com", "gitlab": "gitlab.com"}
_AFTER_EMAIL = re.compile(r"> +\(")
_AUTHOR = re.compile(r"([^<]*[^< ]) +<(.*)>", re.DOTALL)


def _repository(value: Tree) -> Values:
    match value:
        case {"type": str(kind), "url": str(url)}:
            return link(f"{kind}+{url}")
        case str() if "://" in value:
            return link(value)
        case str():
            host, colon, path = value.rpartition(":")
            known = _HOSTS.get(host, "") if colon else "github.com"
            return link(f"git+https://{known}/{path}.git" if known else None)
    return ()


def _issue_tracker(value: Tree) -> Values:
    return link(value.get("url") if isinstance(value, dict) else value)


def _npm_licence(value: Tree) -> Iterator[Value]:
    if not isinstance(value, str) or value.startswith("SEE LICENSE IN"):
        return
    plain = value.replace("(", "").replace(")", "")
    if " AND " not in plain and " WITH " not in plain:
        for each in plain.split(" OR "):
            yield from licence(each)


def _npm_author(value: Tree) -> Values:
    if isinstance(value, dict):
        fields = [value.get(name) or None for name in ("name", "email", "url")]
    elif isinstance(value, str) and "\n" not in value:
        fields = [each or None for each in _split_author(value.strip(" "))]
    else:
        return ()
    return ordered([person(name=fields[0], email=fields[1], url=fields[2])])


def _split_author(text: str) -> tuple[str, str, str]:
    """The parts of `Name <email> (url)`; a part that isn't there is "" (spec 6.2)."""
    angle, bracket = text.find(" <"), text.find(" (")
    if text.endswith(">") and angle >= 0:
        return text[:angle].rstrip(" "), text[angle + 2 : -1], ""
    if not text.endswith(")") or bracket < 0:
        return text, "", ""
    # The e-mail ends where the last URL may begin.
    ends = list(_AFTER_EMAIL.finditer(text))
    if 0 <= angle < bracket and ends:
        last = ends[-1]
        return text[:angle].rstrip(" "), text[angle + 2 : last.start()], text[last.end() : -1]
    return text[:bracket].rstrip(" "), "", text[bracket:].lstrip(" ")[1:-1]


def _npm_description(value: Tree) -> Iterator[Value]:
    if not isinstance(value, str):
        return
    if not value.startswith("\ufffd\ufffd") or "\0" not in value:
        yield literal(value)
        return
    # A byte order mark that was lost: the text is UTF-16, one byte as one character.
    for encoding in ("utf-16-le", "utf-16-be"):
        try:
            text = value[2:].encode().decode(encoding)
        except UnicodeError:
            continue
        if text.startswith("# "):
            yield literal(text.removeprefix("# ").rstrip())
            return


NPM = KeyTable(
    read_json,
    column="NodeJS",
    terms={"author": "schema:author"},
    readers={
        "name": texts,
        "version": texts,
        "homepage": links,
        "repository": _repository,
        "bugs": _issue_tracker,
        "author": _npm_author,
        "license": _npm_licence,
        "keywords": words,
        "description": _npm_description,
    },
)


def _composer_authors(value: Tree) -> Values:
    people = [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
    return ordered(person(name=each.get("name"), email=each.get("email")) for each in people)


COMPOSER = KeyTable(
    read_json,
    terms={
        "name": "schema:name",
        "description": "schema:description",
        "version": "schema:version",
        "keywords": "schema:keywords",
        "homepage": "schema:url",
        "license": "schema:license",
        "authors": "schema:author",
    },
    readers={
        **dict.fromkeys(("name", "description", "version", "keywords"), texts),
        "homepage": links,
        "license": licence,
        "authors": _composer_authors,
    },
)


def _pub_person(value: str) -> Value:
    found = _AUTHOR.match(value)
    return person(name=found[1], email=found[2]) if found else person(name=value)


def _pub_author(value: Tree) -> Values:
    return ordered([_pub_person(value)] if isinstance(value, str) else [])


def _pub_authors(value: Tree) -> Values:
    if not isinstance(value, list):
        return ()
    return ordered(_pub_person(each) for each in value if isinstance(each, str))


PUBSPEC = KeyTable(
    read_yaml,
    terms={
        "name": "schema:name",
        "description": "schema:description",
        "keywords": "schema:keywords",
        "platforms": "schema:runtimePlatform",
        "repository": "schema:codeRepository",
        "issue_tracker": "codemeta:issueTracker",
        "homepage": "schema:url",
        "license": "schema:license",
        "author": "schema:author",
        "authors": "schema:author",
    },
    readers={
        **dict.fromkeys(("name", "description", "keywords", "platforms"), texts),
        **dict.fromkeys(("repository", "issue_tracker"), texts),
        "homepage": links,
        "license": licence,
        "author": _pub_author,
        "authors": _pub_authors,
    },
)
