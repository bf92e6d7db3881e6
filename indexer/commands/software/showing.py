"""Values of terms in one line, for people."""

import json

from indexer.commands.console.terminal import cell
from indexer.software.syntax.tree import Tree

LENGTH = 160
"""The most characters of a value that are shown."""


def short(value: Tree) -> str:
    """Return a value in one line, cut: of an object its fields without the type."""
    return cell(_text(value), LENGTH)


def _text(value: Tree) -> str:
    match value:
        case str():
            return value
        case {"@value": inner}:
            return _text(inner)
        case dict():
            fields = (f"{key}: {_text(each)}" for key, each in value.items() if key != "type")
            return f"{value.get('type', '')} ({', '.join(fields)})".lstrip()
        case list():
            return ", ".join(map(_text, value))
        case _:
            return json.dumps(value)
