"""What is asked of the client: a URL, and on which terms."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from indexer.http.fetching.response import Response

PAGES = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

Check: TypeAlias = Callable[[str], None]
"""Asked before a redirect's target is visited; what it raises ends the fetch."""

Wanted: TypeAlias = Callable[[Response], bool]

Headers: TypeAlias = Callable[[str], Mapping[str, str]]
"""What a request to a URL says besides."""


Seen: TypeAlias = Callable[[Mapping[str, str], Response], None]
"""Told of each exchange of a chain: the headers that were sent, and the head of the answer."""


def good(response: Response) -> bool:
    """Whether it is what was asked for."""
    return 200 <= response.status < 300


def always(response: Response) -> bool:  # noqa: ARG001 - a Wanted
    """Every redirect is followed."""
    return True


def nothing(url: str) -> Mapping[str, str]:  # noqa: ARG001 - a Headers
    """No other headers."""
    return {}


def unseen(sent: Mapping[str, str], response: Response) -> None:
    """Nobody looks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A GET. What is None is as the client's options have it.

    `wanted` tells from its head whether an answer's body is read, `follow` whether a redirect is
    followed. `max_bytes`: of the decoded body; a larger one is an error, or is `cut` there.
    `exact`: a body that is longer than its head says is one, too. `seconds`: for all of it,
    redirects included.
    """

    url: str
    accept: str = PAGES
    headers: Headers = nothing
    check: Check | None = None
    wanted: Wanted = good
    follow: Wanted = always
    seen: Seen = unseen
    max_bytes: int | None = None
    cut: bool = False
    exact: bool = False
    max_redirects: int | None = None
    seconds: float | None = None
