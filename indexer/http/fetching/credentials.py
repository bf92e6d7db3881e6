"""Secrets that are sent to one origin, and never to another, into a log or into an error.

auth = [bearer("https://api.example.org", token), query_key("https://api.example.org", "key", k)]
client.ask(Request(url="https://api.example.org/v1/posts", auth=auth))
"""

import base64
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias
from urllib.parse import unquote_plus, urlencode

from indexer.errors import ConfigurationError
from indexer.http.urls.target import Target

Sign: TypeAlias = Callable[[str, str], Mapping[str, str]]
"""Headers for a method and a URL: a signature, or a token that is renewed."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """Headers and parameters of the query for the requests to `origin`."""

    origin: str
    sign: Sign = field(repr=False)
    query: Mapping[str, str] = field(default_factory=dict, repr=False)


def basic(url: str, user: str, password: str) -> Credentials:
    """The name and password of a user (RFC 7617), for the origin of a URL."""
    word = base64.b64encode(f"{user}:{password}".encode()).decode()
    return header(url, "Authorization", f"Basic {word}")


def bearer(url: str, token: str) -> Credentials:
    """A token (RFC 6750), for the origin of a URL. Raises ConfigurationError."""
    return header(url, "Authorization", f"Bearer {token}")


def header(url: str, name: str, value: str) -> Credentials:
    """A header with a key, for the origin of a URL. Raises ConfigurationError."""
    # Checked here, so that no later error quotes it.
    if not value.isascii() or not value.isprintable():
        raise ConfigurationError(f"the key for {name} has characters that no header has")
    given = {name: value}
    return signed(url, lambda _method, _url: given)


def query_key(url: str, name: str, value: str) -> Credentials:
    """A parameter of the query with a key, for the origin of a URL."""
    return Credentials(_origin(url), lambda _method, _url: {}, {name: value})


def signed(url: str, sign: Sign) -> Credentials:
    """Headers that are made for each request to the origin of a URL."""
    return Credentials(_origin(url), sign)


def authorized(
    credentials: Collection[Credentials], method: str, target: Target
) -> tuple[Target, dict[str, str]]:
    """The target with the keys of its query, and the headers, that belong to its origin."""
    own = [each for each in credentials if each.origin == target.origin]
    query = urlencode({name: value for each in own for name, value in each.query.items()})
    if query:
        target = replace(target, path=f"{target.path}{'&' if '?' in target.path else '?'}{query}")
    headers: dict[str, str] = {}
    for each in own:
        headers.update(each.sign(method, target.url))
    return target, headers


def without_keys(credentials: Collection[Credentials], target: Target) -> Target:
    """The target without our keys in its query: some servers repeat them in a Location."""
    keys = {pair for each in credentials for pair in each.query.items()}
    path, mark, query = target.path.partition("?")
    parts = query.split("&")
    kept = [part for part in parts if _pair(part) not in keys]
    if len(kept) == len(parts):
        return target
    return replace(target, path=f"{path}{mark if kept else ''}{'&'.join(kept)}")


def _pair(part: str) -> tuple[str, str]:
    name, _, value = part.partition("=")
    return unquote_plus(name), unquote_plus(value)


def _origin(url: str) -> str:
    return Target.parse(url).origin
