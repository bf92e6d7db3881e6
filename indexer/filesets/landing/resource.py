"""The landing page of a dataset, as it was fetched, with the way that led to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Resource:
    """A landing page. `hops` are all URLs of the way, from the cleaned URL to `terminal_url`.

    `terminal_dt` has 14 digits (YYYYMMDDhhmmss). `status` is that of HTTP, 0 without an answer.
    `headers` have names in lower case; of several `Link` headers the values are joined by commas.
    `problem` is the status of the fileset (spec 7) if the page can't be used, otherwise "", and
    `message` explains it. The URLs of such a resource may still tell the platform. `cdx` is the
    row of a capture in the index of the web archive, `revisit_cdx` that of its later revisit.
    """

    hops: list[str]
    terminal_url: str
    terminal_dt: str
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = ""
    body: bytes = field(default=b"", repr=False)
    problem: str = ""
    message: str = ""
    cdx: Mapping[str, Any] | None = None
    revisit_cdx: Mapping[str, Any] | None = None
