"""The one parser of URLs: the parts of a URL, and the server that it names, as browsers read them.

The fetcher's checks, its connections, politeness, and the identity of documents use this parser:
two parsers that disagree about a host are how a check is bypassed. Why it is our own:
docs/decisions/0007-urls.md.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

import idna

from indexer.errors import BadURL
from indexer.http.urls.addresses import literal
from indexer.http.urls.special_addresses import Address

DEFAULT_PORTS = {"http": 80, "https": 443, "ftp": 21}

_PARTS = re.compile(r"([a-z][a-z0-9+.-]*)://([^/?#]*)([^?#]*)\??([^#]*)#?(.*)", re.I | re.A | re.S)
_NAME = re.compile(r"(?=.{1,253}\.?$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?")
_SPACES_AROUND = " \t\r\n\f"
_IGNORED = re.compile("[\t\r\n]")

_CREDENTIALS = re.compile(r"(?<=:)//[^/]*@")
# A password with a raw `/`, `?` or `#`, which should be percent-encoded: it would end the host.
_UNREADABLE = re.compile(r"(?<=:)//[^/@:]*:[^@]*[/?#][^@]*@")

# A name has at most 253 characters, but each of them may be written as %XX, or need several bytes.
_LONGEST_AUTHORITY = 2048


class Parts(NamedTuple):
    """The parts of a URL with an authority. The scheme is in lower case, the rest is unchanged."""

    scheme: str
    authority: str
    path: str
    query: str
    fragment: str

    @property
    def is_web(self) -> bool:
        """Whether the scheme is http or https."""
        return self.scheme in ("http", "https")

    @property
    def is_route(self) -> bool:
        """Whether the fragment selects a page, as in `#!story/1` and `#/story/1`."""
        return self.fragment[:1] in ("!", "/") and len(self.fragment) > 1


class Server(NamedTuple):
    """The server that a URL names.

    `host` is lower-case ASCII, an IPv6 address in brackets. `name` is the host without its final
    dot: `example.com.` and `example.com` are one site. `port` is None for the default port of the
    scheme. `address` is the address that the host spells, None for a name.
    """

    host: str
    name: str
    port: int | None
    address: Address | None


def split(url: str) -> Parts | None:
    """The parts of a URL; None for a text without `scheme://`."""
    found = _PARTS.fullmatch(without_ignorable(url))
    if found is None:
        return None
    scheme, authority, path, query, fragment = found.groups()
    return Parts(scheme.lower(), authority, path, query, fragment)


def without_ignorable(url: str) -> str:
    """The URL without the white space that browsers ignore: around it, and line breaks in it."""
    url = url.strip(_SPACES_AROUND)
    return url if url.isprintable() else _IGNORED.sub("", url)


@lru_cache(maxsize=16_384)
def server(scheme: str, authority: str) -> Server:
    """The server of an authority; user name and password are ignored.

    Raises BadURL with the status `no-host` or `bad-url`.
    """
    if len(authority) > _LONGEST_AUTHORITY:
        raise BadURL("the host name is too long", "bad-url")
    # Browsers end the authority at a backslash: in http://a\@b/ the host is `a`, elsewhere `b`.
    if "\\" in authority:
        raise BadURL("a backslash in the host name", "bad-url")
    text = authority.rpartition("@")[2]
    bracket = text.find("]") + 1
    name, colon, port = text[bracket:].partition(":")
    if bracket and name:
        raise BadURL("not an IPv6 address", "bad-url")
    host, address = _host(text[:bracket] or name)
    return Server(host, host.removesuffix("."), _port(port, scheme) if colon else None, address)


def host_of(url: str) -> str | None:
    """The host of a web URL without brackets and final dot; None if there is none."""
    parts = split(url)
    if parts is None or not parts.is_web:
        return None
    try:
        return server(parts.scheme, parts.authority).name.strip("[]")
    except BadURL:
        return None


def without_dots(path: str) -> str:
    """The path without `.` and `..` segments, which no browser sends (RFC 3986, 5.2.4)."""
    if "/." not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def _host(text: str) -> tuple[str, Address | None]:
    """The host in ASCII, and the address that it spells, if any."""
    try:
        name = text if text.startswith("[") else _name(text)
        address = literal(name)
    except ValueError as error:
        raise BadURL(f"not a host: {error}", "bad-url") from error
    if address is not None:
        name = f"[{address}]" if address.version == 6 else str(address)
    return name, address


def _name(text: str) -> str:
    """A host that is not in brackets, in lower-case ASCII. Raises BadURL and ValueError."""
    name = _ascii(unquote(text, errors="strict"))
    if not name.rstrip("."):
        raise BadURL("no host in the URL", "no-host")
    if not _NAME.fullmatch(name):
        raise BadURL("not a host name", "bad-url")
    return name


def _ascii(name: str) -> str:
    if name.isascii():
        return name.lower()
    try:
        return idna.encode(name, uts46=True).decode("ascii").lower()
    except idna.IDNAError:
        # IDNA 2008 has no emoji, but such names are registered, and browsers open them (UTS 46).
        labels = idna.uts46_remap(name, std3_rules=False).split(".")
    return ".".join(
        label if label.isascii() else f"xn--{label.encode('punycode').decode()}" for label in labels
    )


def _port(text: str, scheme: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and 0 < int(text) < 65_536):
        raise BadURL("not a port", "bad-url")
    return None if int(text) == DEFAULT_PORTS.get(scheme) else int(text)


def without_credentials(url: str) -> str:
    """The URL without user, password and query, for logs, summaries and errors.

    Several URLs with commas between them are allowed, as in the option for an index's hosts.
    """
    url = _UNREADABLE.sub("//", url)
    return _CREDENTIALS.sub("//", re.split("[?#]", url, maxsplit=1)[0])


def has_user(url: str) -> bool:
    """Whether a user, or a user and a password, are in a URL."""
    parts = split(url)
    return parts is not None and "@" in parts.authority


def is_within(host: str, domains: Iterable[str]) -> bool:
    """Whether a host is one of the domains, or under one of them: whole labels, any case."""
    host = f".{host.lower()}"
    # A loop and no generator: most callers have no domains, and ask for each item of a feed.
    for domain in domains:
        name = domain.lower().strip(".")
        if name and host.endswith(f".{name}"):
            return True
    return False


def without_www(host: str) -> str:
    """The host without its label `www`, unless only a top-level domain is left."""
    rest = host.removeprefix("www.")
    return rest if "." in rest else host
