"""A request to the client (its URL, limits and callbacks), and the response to it."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from indexer.http.connections.bounded import LeastRate
from indexer.http.fetching.bodies import Body
from indexer.http.fetching.credentials import Credentials
from indexer.http.fetching.recording import Record

_CHARSET = re.compile(r""";\s*charset\s*=\s*["']?\s*([A-Za-z0-9_.:+-]{1,40})""", re.IGNORECASE)
_MEDIA_TYPE = re.compile(r"\s*([a-z0-9!#$&^_.+-]{1,80}/[a-z0-9!#$&^_.+-]{1,80})\s*(?:[;,]|$)")


@dataclass(frozen=True, slots=True)
class Response:
    """An answer. `url` is the final URL; `redirects` are the URLs before it, in order.

    `headers` ignores the case of names. `body` is empty if it was not wanted. `seconds`: the
    duration of the whole fetch. `reason`: the text after the status.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes = field(default=b"", repr=False)
    redirects: Sequence[str] = ()
    seconds: float = 0.0
    reason: str = ""

    @property
    def charset(self) -> str | None:
        """The charset that Content-Type declares, without a default; None if it declares none."""
        found = _CHARSET.search(self.headers.get("content-type", ""))
        return found[1] if found else None

    @property
    def media_type(self) -> str | None:
        """The media type of Content-Type in lower case (text/html); None without a valid one."""
        found = _MEDIA_TYPE.match(self.headers.get("content-type", "").lower())
        return found[1] if found else None


PAGES = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

Check: TypeAlias = Callable[[str], None]
"""Called with the URL of a redirect before it is visited; an exception ends the fetch."""

Wanted: TypeAlias = Callable[[Response], bool]
"""A decision about an answer, of which only the head is known."""

Headers: TypeAlias = Callable[[str], Mapping[str, str]]
"""Additional headers for a request to a URL."""

Seen: TypeAlias = Callable[[Mapping[str, str], Response], None]
"""Called after each exchange of a chain: the headers that were sent, the head of the answer."""


def nothing(url: str) -> Mapping[str, str]:  # noqa: ARG001 - a Headers
    """Add no headers."""
    return {}


def unseen(sent: Mapping[str, str], response: Response) -> None:
    """Ignore the exchange."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request. For fields that are None the client's options apply.

    `headers` are those of each URL of the chain; secrets belong into `auth`, which no other origin
    gets. `wanted` decides whether the body of an answer is read (default: of any 2xx), `follow`
    whether a redirect is followed. `seen` gets the headers without those of `auth`.

    `max_bytes` limits the decoded body (default: `max_html_bytes`): a larger body is an error, or
    is shortened if `cut` is true. With `exact` a body that is longer than its head announces is an
    error too. `seconds` is the time for the whole chain of redirects, `pause` the longest time
    without a byte, `rate` the least speed of the answer. `record` gets each exchange of the chain.
    """

    url: str
    method: str = "GET"
    body: Body | None = field(default=None, repr=False)
    accept: str = PAGES
    headers: Headers = nothing
    auth: Collection[Credentials] = ()
    check: Check | None = None
    wanted: Wanted = lambda response: 200 <= response.status < 300
    follow: Wanted = lambda response: True  # noqa: ARG005 - every redirect
    seen: Seen = unseen
    max_bytes: int | None = None
    cut: bool = False
    exact: bool = False
    max_redirects: int | None = None
    seconds: float | None = None
    pause: float | None = None
    rate: LeastRate | None = None
    record: Record | None = None
