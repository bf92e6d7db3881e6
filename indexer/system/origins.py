"""The settings of programs, one by one: the value of each, and where it comes from."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import SecretStr

from indexer.system.options import Definition, Options, variable

FILE = "_FILE"
"""The ending of a variable that names a file with the value."""


class Setting(NamedTuple):
    """An option with its value. `origin` is `env NAME`, `file NAME_FILE` or `default`."""

    definition: Definition
    value: str
    origin: str


def settings(
    classes: Sequence[type[Options]], given: Mapping[str, str], show: Callable[[str], str] = str
) -> Iterator[Setting]:
    """Yield the settings of a program, in the order of its help, under an environment.

    Secrets are not shown; `show` shortens other values, URLs with credentials. Raises
    ConfigurationError for a bad value.
    """
    seen: set[str] = set()
    for kind in classes:
        values = kind.of(given).values()
        for name, definition in kind.definitions().items():
            if name not in seen:
                seen.add(name)
                text = _text(values[name], show)
                yield Setting(definition, text, _origin(definition, given))


def variables(classes: Sequence[type[Options]]) -> set[str]:
    """Return the variables that classes of options read, those of secret files included."""
    found = {env for kind in classes for each in kind.definitions().values() for env in each.env}
    return found | {env + FILE for env in found}


def _text(value: Any, show: Callable[[str], str]) -> str:
    match value:
        case SecretStr():
            return "(secret)" if value.get_secret_value() else ""
        case None:
            return ""
        case bool():
            return str(value).lower()
        case list() | tuple():
            return variable([show(str(each)) for each in value])
    return show(str(value))


def _origin(definition: Definition, given: Mapping[str, str]) -> str:
    for kind, ending in (("env", ""), ("file", FILE)):
        for env in definition.env:
            if given.get(env + ending):
                return f"{kind} {env}{ending}"
    return "default"
