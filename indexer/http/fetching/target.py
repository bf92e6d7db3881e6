"""Where a URL leads: parsed once, as browsers do, and used everywhere as it was parsed.

Two readers of one URL that disagree about its host are how a check is got round, so there is one
reader: what `Target` says is what is checked, connected to, asked for and written down.
"""

import re
from dataclasses import dataclass
from typing import Self
from urllib.parse import quote, unquote, urljoin, urlsplit

import idna

from indexer.errors import BadURL
from indexer.http.urls.addresses import Address, literal

MAX_URL_LENGTH = 8192
"""Longer URLs are refused: servers do so too, and nobody publishes stories under them."""

_PORTS = {"http": 80, "https": 443}
_SPACES_AROUND = " \t\r\n\f"
_IGNORED = re.compile("[\t\r\n]")
_CONTROL = re.compile("[\x00-\x1f\x7f]")
_NAME = re.compile(r"(?=.{1,253}\.?$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?")
_SAFE = "%/:@!$&'()*+,;=~[]"


@dataclass(frozen=True, slots=True)
class Target:
    """An http(s) URL. `host` is lower-case ASCII, IPv6 in brackets; `path` includes the query.

    `address` is the address that the host spells, None for a name.
    """

    scheme: str
    host: str
    port: int
    path: str
    address: Address | None

    @classmethod
    def parse(cls, url: str) -> Self:
        """Raises BadURL, whose status is `no-url`, `bad-url`, `bad-scheme` or `no-host`."""
        scheme, authority, path = _split(url)
        host, port = _host_and_port(authority, _PORTS[scheme])
        try:
            address = literal(host)
        except ValueError as error:
            raise BadURL(f"not a host: {error}", "bad-url") from error
        if address is not None:
            host = f"[{address}]" if address.version == 6 else str(address)
        return cls(scheme, host, port, path, address)

    def follow(self, location: str) -> Self:
        """The target of a `Location` header, as http.client reads it: bytes in ISO 8859-1.

        Raises BadURL like `parse`.
        """
        try:
            reference = _ignorable(_browser_text(location))
            return self.parse(urljoin(self.url, reference))
        except ValueError as error:
            raise BadURL(f"not a URL: {error}", "bad-url") from error

    @property
    def origin(self) -> str:
        """Scheme, host and port: what a robots.txt and a certificate are for (RFC 6454)."""
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}"

    @property
    def url(self) -> str:
        """The URL as it is asked for: quoted, without fragment."""
        return self.origin + self.path


def _split(url: str) -> tuple[str, str, str]:
    """Scheme, authority, and path with query."""
    url = _ignorable(url)
    if not url:
        raise BadURL("no URL", "no-url")
    if len(url) > MAX_URL_LENGTH:
        raise BadURL(f"a URL of {len(url)} characters", "bad-url")
    if _CONTROL.search(url):
        raise BadURL("control characters in the URL", "bad-url")
    try:
        parts = urlsplit(url)
        path = _without_dots(quote(parts.path.replace("\\", "/"), safe=_SAFE)) or "/"
        query = quote(parts.query, safe=_SAFE + "?")
    except (ValueError, UnicodeError) as error:
        raise BadURL(f"not a URL: {error}", "bad-url") from error
    if parts.scheme not in _PORTS:
        raise BadURL(f"not http or https: {parts.scheme[:20] or 'no scheme'}", "bad-scheme")
    return parts.scheme, parts.netloc, f"{path}?{query}" if query else path


def _ignorable(url: str) -> str:
    """Without what browsers overlook: spaces around it, tabs and line breaks in it."""
    return _IGNORED.sub("", url.strip(_SPACES_AROUND))


def _host_and_port(authority: str, default: int) -> tuple[str, int]:
    if "@" in authority:
        raise BadURL("a URL with a user name or password", "bad-url")
    host, separator, port = authority.rpartition(":")
    if not separator or authority.endswith("]"):
        host, port = authority, ""
    if not host.rstrip("."):
        raise BadURL("no host in the URL", "no-host")
    return _host(host), _port(port, default)


def _port(text: str, default: int) -> int:
    if not text:
        return default
    if text.isascii() and text.isdigit() and len(text) <= 5 and 0 < int(text) < 65536:
        return int(text)
    raise BadURL("not a port", "bad-url")


def _host(text: str) -> str:
    """A host name in ASCII, or an IPv6 address in brackets."""
    if text.startswith("["):
        return text.lower()
    try:
        name = unquote(text, errors="strict").lower()
        if not name.isascii():
            name = idna.encode(name, uts46=True).decode("ascii")
    except UnicodeError as error:
        raise BadURL("not a host name", "bad-url") from error
    if not _NAME.fullmatch(name):
        raise BadURL("not a host name", "bad-url")
    return name


def _without_dots(path: str) -> str:
    """RFC 3986, 5.2.4: without `.` and `..` segments."""
    if "/." not in path:
        return path
    *parents, last = path.split("/")[1:]
    kept: list[str] = []
    for segment in parents:
        _step(kept, segment)
    _step(kept, last)
    return "/" + "/".join(kept) + ("/" if last in (".", "..") and kept else "")


def _step(kept: list[str], segment: str) -> None:
    if segment == "..":
        del kept[-1:]
    elif segment != ".":
        kept.append(segment)


def _browser_text(header: str) -> str:
    """A header's bytes as text: UTF-8 where they are that, else quoted byte by byte."""
    try:
        raw = header.encode("latin-1")
    except UnicodeEncodeError:
        return header
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return quote(raw, safe="".join(map(chr, range(0x80))))
