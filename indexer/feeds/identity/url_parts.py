"""A URL in its parts, and the server that it names: read in one way by all that compare URLs."""

import re
from functools import lru_cache
from ipaddress import IPv6Address
from typing import NamedTuple
from urllib.parse import unquote

import idna

_PARTS = re.compile(r"([a-z][a-z0-9+.-]*)://([^/?#]*)([^?#]*)\??([^#]*)#?(.*)", re.I | re.S)
_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
_LONGEST = 2048

DEFAULT_PORTS = {"http": 80, "https": 443, "ftp": 21}


class Parts(NamedTuple):
    """A URL with an authority. The scheme is in lower case, the rest is as it was."""

    scheme: str
    authority: str
    path: str
    query: str
    fragment: str

    @property
    def is_web(self) -> bool:
        """Whether it is for a browser."""
        return self.scheme in ("http", "https")

    @property
    def is_route(self) -> bool:
        """Whether the fragment says which page it is: `#!story/1`, `#/story/1`."""
        return self.fragment[:1] in ("!", "/") and len(self.fragment) > 1


class WebServer(NamedTuple):
    """A host in lower-case ASCII, IPv6 in brackets; its port, "" for that of the scheme."""

    host: str
    port: str


def cut(url: str) -> Parts | None:
    """The parts of a URL; None for one that has no `scheme://`."""
    found = _PARTS.fullmatch(url)
    if found is None:
        return None
    scheme, authority, path, query, fragment = found.groups()
    return Parts(scheme.lower(), authority, path, query, fragment)


@lru_cache(maxsize=16_384)
def server(scheme: str, authority: str) -> WebServer:
    """The server of an authority: user and password don't count.

    Raises ValueError for what can't be one. The host is "" where none is named.
    """
    if len(authority) > _LONGEST:
        raise ValueError("the host name is too long")
    address = authority.rpartition("@")[2]
    if "[" in address or "]" in address:
        host, port = _bracketed(address)
    else:
        name, _, port = address.partition(":")
        host = _host(name)
    return WebServer(host, _port(port, scheme))


def without_www(host: str) -> str:
    """A host without the label `www`, if a name is left."""
    rest = host.removeprefix("www.")
    return rest if "." in rest else host


def _bracketed(address: str) -> tuple[str, str]:
    name, bracket, port = address.partition("]")
    if not name.startswith("[") or not bracket or (port and not port.startswith(":")):
        raise ValueError("not an IPv6 address")
    return f"[{IPv6Address(name[1:])}]", port[1:]


def _host(text: str) -> str:
    name = unquote(text, errors="strict") if "%" in text else text
    name = (name.lower() if name.isascii() else _idna(name)).removesuffix(".")
    if name and not _NAME.fullmatch(name):
        raise ValueError("not a host name")
    return name


def _idna(name: str) -> str:
    try:
        return idna.encode(name, uts46=True).decode("ascii").lower()
    except idna.IDNAError:
        # Names with emoji, and what else was allowed until 2008, are still registered.
        return name.encode("idna").decode("ascii").lower()


def _port(text: str, scheme: str) -> str:
    if not text:
        return ""
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) < 65_536):
        raise ValueError("not a port")
    return "" if int(text) == DEFAULT_PORTS.get(scheme) else str(int(text))
