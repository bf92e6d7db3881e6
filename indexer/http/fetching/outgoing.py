"""A request as it is sent: its request line, its headers, its body."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from indexer.errors import BadResponse
from indexer.http.connections.failures import FetchFailure
from indexer.http.connections.proxy import Proxy
from indexer.http.fetching.bodies import RequestBody
from indexer.http.urls.parts import DEFAULT_PORTS
from indexer.http.urls.target import Target

REPEATABLE: Final = frozenset(("GET", "HEAD", "OPTIONS", "PUT", "DELETE"))
"""Methods whose requests may be sent twice with the effect of one (RFC 9110, 9.2.2)."""

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
# A second one of these could give the request another end.
_OURS = frozenset(("host", "connection", "content-length", "transfer-encoding", "te", "upgrade"))


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request as it is sent. `target` and `headers` may hold secrets; `url` has none."""

    url: str
    target: Target = field(repr=False)
    method: str
    headers: Mapping[str, str] = field(repr=False)
    body: RequestBody | None = None

    @property
    def can_repeat(self) -> bool:
        """Whether the request may be sent once more if a kept connection turns out to be closed."""
        return self.method in REPEATABLE and (self.body is None or self.body.can_repeat)

    def head(self, proxy: Proxy | None) -> bytes:
        """The request line and the headers. For http, a proxy gets the whole URL and its headers.

        Raises BadResponse for a method or a header that can't be sent; its text has no values.
        """
        target, path, more = self.target, self.target.path, dict[str, str]()
        if proxy is not None and target.scheme == "http":
            path, more = target.url, proxy.headers
        port = "" if target.port == DEFAULT_PORTS[target.scheme] else f":{target.port}"
        lines = [f"{self.method} {path} HTTP/1.1", f"Host: {target.name}{port}"]
        for name, value in {**self.headers, **more}.items():
            if not _may_be_sent(name) or not _VALUE.fullmatch(value):
                raise self._refusal(f"the header {name!r:.40} can't be sent")
            lines.append(f"{name}: {value}")
        if not _TOKEN.fullmatch(self.method) or self.method == "CONNECT":
            raise self._refusal(f"the method {self.method!r:.40} can't be sent")
        if self.body is not None:
            lines += [f"{name}: {value}" for name, value in self.body.headers.items()]
        elif self.method in ("POST", "PUT", "PATCH"):
            lines.append("Content-Length: 0")
        return "\r\n".join([*lines, "", ""]).encode("latin-1")

    def _refusal(self, why: str) -> BadResponse:
        return BadResponse(f"{self.target.host}: {why}", failure=FetchFailure.VALUE)


@lru_cache(1024)
def _may_be_sent(header: str) -> bool:
    return header.lower() not in _OURS and _TOKEN.fullmatch(header) is not None
