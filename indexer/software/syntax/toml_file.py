"""TOML, as Cargo, Julia and the tools of Python write it."""

import tomllib
from datetime import date, datetime, time

from indexer.errors import UnreadableManifest
from indexer.software.syntax.encoding import text_of
from indexer.software.syntax.limits import bounded, bounded_size
from indexer.software.syntax.tree import Tree

_MAX_DOTS = 500
"""The most dots of a line: `tomllib` takes quadratic time for a key of many parts."""


def read_toml(content: bytes) -> Tree:
    """Return the tree of a TOML document; dates and times are texts. Raises UnreadableManifest."""
    text = text_of(bounded_size(content)).replace("\r\n", "\n")
    if any(line.count(".") > _MAX_DOTS for line in text.splitlines()):
        raise UnreadableManifest(f"a line of more than {_MAX_DOTS} dots")
    try:
        return _plain(bounded(tomllib.loads(text)))
    except (ValueError, RecursionError) as error:
        raise UnreadableManifest(f"not TOML: {error}") from error


def _plain(value: object) -> Tree:
    match value:
        case dict():
            return {key: _plain(item) for key, item in value.items()}
        case list():
            return [_plain(item) for item in value]
        case date() | datetime() | time():
            return value.isoformat()
        case str() | bool() | int() | float():
            return value
        case _:
            return None
