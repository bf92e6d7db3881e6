"""*.gemspec: assignments of texts and lists, read as the existing system reads them."""

import ast
import re
import warnings

from indexer.errors import UnreadableManifest
from indexer.software.compat.keys.key_table import KeyTable
from indexer.software.compat.keys.values import (
    Values,
    licence,
    licences,
    links,
    ordered,
    person,
    texts,
)
from indexer.software.syntax.tree import Tree

_START = re.compile(r".*Gem::Specification\.new +(?:do|\{) +\|.*\|.*")
_ASSIGNMENT = re.compile(r"\s*\w+\.(\w+)\s*=(.*)")
_LONGEST = 10_000
"""The most characters of an expression that is read."""


def _read(content: bytes) -> Tree:
    """The last value of each key. Raises UnreadableManifest if there is no specification."""
    try:
        lines = iter(content.decode().split("\n"))
    except UnicodeDecodeError as error:
        raise UnreadableManifest(f"not UTF-8: {error}") from error
    if not any(_START.match(line[:_LONGEST]) for line in lines):
        raise UnreadableManifest("no Gem::Specification.new")
    tree: dict[str, Tree] = {}
    for line in lines:
        found = _ASSIGNMENT.match(line) if len(line) <= _LONGEST else None
        if found and (value := _evaluated(found[2].strip())):
            tree[found[1]] = value
    return tree


def _evaluated(expression: str) -> Tree:
    """A text, or a list of texts, of an expression that Ruby and Python share; or None."""
    try:
        with warnings.catch_warnings(action="ignore"):
            return _value(ast.parse(expression.replace(".freeze", ""), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _value(node: ast.expr) -> Tree:
    match node:
        case ast.Constant(value=str(found)):
            return found
        case ast.List(elts=elements):
            values = [_value(each) for each in elements]
            return values if all(values) else None
    return None


def _one_author(value: Tree) -> Values:
    return ordered([person(name=value)]) if isinstance(value, str) else ()


def _authors(value: Tree) -> Values:
    if not isinstance(value, list):
        return ()
    return ordered(person(name=each) for each in value if isinstance(each, str))


GEMSPEC = KeyTable(
    _read,
    column="Ruby Gem",
    readers={
        **dict.fromkeys(("name", "version", "summary", "description", "email"), texts),
        "homepage": links,
        "license": licence,
        "licenses": licences,
        "author": _one_author,
        "authors": _authors,
    },
)
