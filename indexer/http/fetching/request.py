"""A request to the client: its URL, its limits and its callbacks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from indexer.http.fetching.response import Response

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
    """A GET. For fields that are None the client's options apply.

    `wanted` decides whether the body of an answer is read (default: of any 2xx), `follow` whether a
    redirect is followed. `max_bytes` limits the decoded body (default: `max_html_bytes`): a larger
    body is an error, or is shortened if `cut` is true. With `exact` a body that is longer
    than its head announces is an error too. `seconds` is the time for the whole chain of redirects.
    """

    url: str
    accept: str = PAGES
    headers: Headers = nothing
    check: Check | None = None
    wanted: Wanted = lambda response: 200 <= response.status < 300
    follow: Wanted = lambda response: True  # noqa: ARG005 - every redirect
    seen: Seen = unseen
    max_bytes: int | None = None
    cut: bool = False
    exact: bool = False
    max_redirects: int | None = None
    seconds: float | None = None
