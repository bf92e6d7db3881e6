"""The parameters of URLs that choose a backend: an unknown one is an error, and is not ignored."""

from collections.abc import Collection
from urllib.parse import parse_qsl

from indexer.errors import ConfigurationError


def check_parameters(what: str, url: str, known: Collection[str] = (), advice: str = "") -> None:
    """Raise ConfigurationError if the URL has a parameter `?NAME=VALUE` that is not known.

    The error has the names, and never a value, which may be a password.
    """
    query = url.partition("?")[2]
    given = {name for name, _ in parse_qsl(query, keep_blank_values=True)}
    if unknown := sorted(given.difference(known)):
        names = f"known are {', '.join(sorted(known))}" if known else "it takes none"
        text = f"{what} has unknown parameters: {', '.join(unknown)}; {names}"
        raise ConfigurationError(f"{text}. {advice}" if advice else text)


def check_file_parameters(what: str, url: str) -> None:
    """Raise ConfigurationError if the URL of a file ends in `?NAME=VALUE`.

    A `?` in the name of a folder, or without `=` behind it, is part of the file's path.
    """
    name = url.rpartition("/")[2]
    if "=" in name.partition("?")[2]:
        check_parameters(what, name)
