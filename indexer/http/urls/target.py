"""The URL of a request: parsed once, checked, and used as it was parsed.

`Target` is the only form in which the client knows a URL: the host that passed the checks is the
host that is connected to, requested, and recorded.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, urljoin

from indexer.errors import BadURL
from indexer.http.urls.parts import (
    DEFAULT_PORTS,
    Parts,
    server,
    split,
    without_dots,
    without_ignorable,
)
from indexer.http.urls.special_addresses import Address

MAX_URL_LENGTH = 8192
"""Longer URLs are refused: servers refuse them too, and no site publishes stories under them."""

_CONTROL = re.compile("[\x00-\x1f\x7f]")
_SAFE = "%/:@!$&'()*+,;=~[]"


@dataclass(frozen=True, slots=True)
class Target:
    """An http(s) URL. `host` is lower-case ASCII, IPv6 in brackets; `path` includes the query.

    `address` is the address that the host spells; None for a name.
    """

    scheme: str
    host: str
    port: int
    path: str
    address: Address | None

    @classmethod
    def parse(cls, url: str) -> "Target":
        """Raises BadURL, whose status is `no-url`, `bad-url`, `bad-scheme` or `no-host`."""
        url = without_ignorable(url)
        if not url:
            raise BadURL("no URL", "no-url")
        if len(url) > MAX_URL_LENGTH:
            raise BadURL(f"a URL of {len(url)} characters", "bad-url")
        return cls._parsed(url)

    @classmethod
    @lru_cache(maxsize=1024)  # a URL is parsed by each check on its way to the request
    def _parsed(cls, url: str) -> "Target":
        # In a request line, a control character could start a header of its own.
        if _CONTROL.search(url):
            raise BadURL("control characters in the URL", "bad-url")
        scheme, colon, _ = url.partition(":")
        if scheme.lower() not in ("http", "https"):
            named = scheme[:20].lower() if colon else "no scheme"
            raise BadURL(f"not http or https: {named}", "bad-scheme")
        parts = split(url)
        if parts is None:
            raise BadURL("no host in the URL", "no-host")
        if "@" in parts.authority:
            raise BadURL("a URL with a user name or password", "bad-url")
        found = server(parts.scheme, parts.authority)
        port = found.port or DEFAULT_PORTS[parts.scheme]
        return cls(parts.scheme, found.host, port, _path(parts), found.address)

    def follow(self, location: str) -> "Target":
        """The target of a `Location` header; http.client decodes headers as ISO 8859-1.

        Raises BadURL like `parse`.
        """
        try:
            reference = without_ignorable(_browser_text(location))
            return self.parse(urljoin(self.url, reference))
        except ValueError as error:
            raise BadURL(f"not a URL: {error}", "bad-url") from error

    @property
    def name(self) -> str:
        """The host without the final dot: `example.com.` and `example.com` are one site."""
        return self.host.removesuffix(".")

    @property
    def origin(self) -> str:
        """Scheme, host and port (RFC 6454): a robots.txt applies to an origin."""
        port = "" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}"

    @property
    def url(self) -> str:
        """The URL of the request: percent-encoded, without fragment."""
        return self.origin + self.path


def _path(parts: Parts) -> str:
    """The path and the query in ASCII."""
    try:
        path = without_dots(quote(parts.path.replace("\\", "/"), safe=_SAFE)) or "/"
        query = quote(parts.query, safe=_SAFE + "?")
    except UnicodeError as error:
        raise BadURL(f"not a URL: {error}", "bad-url") from error
    return f"{path}?{query}" if query else path


def _browser_text(header: str) -> str:
    """The text of a header: its bytes as UTF-8, or percent-encoded if they are no UTF-8."""
    try:
        raw = header.encode("latin-1")
    except UnicodeEncodeError:
        return header
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return quote(raw, safe="".join(map(chr, range(0x80))))
