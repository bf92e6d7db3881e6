"""Plain trees: what every syntax is read into, and the places of their values."""

from typing import TypeAlias

Tree: TypeAlias = "dict[str, Tree] | list[Tree] | str | int | float | bool | None"
"""A value of a file, as JSON knows them; the values of YAML, TOML, XML and headers fit, too."""


def below(place: str, key: str | int) -> str:
    """Return the place of a value in the value at `place`: a JSON pointer (RFC 6901)."""
    if isinstance(key, int):
        return f"{place}/{key}"
    if "/" in key or "~" in key:
        key = key.replace("~", "~0").replace("/", "~1")
    return f"{place}/{key}"


def kind(value: Tree) -> str:
    """Return the word for the type of a value, for a message."""
    match value:
        case None:
            return "null"
        case bool():
            return "a truth value"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case dict():
            return "an object"
        case _:
            return "a list"
