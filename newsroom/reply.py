"""The server's answers to requests."""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass, field

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP response. `delay` is in seconds.

    `first` replaces the response to the first request. With `size`, the body is repeated until so
    many bytes are sent, as a stream without Content-Length. `packed` is the body as gzip, for
    clients that accept it.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    size: int = 0
    packed: bytes = b""
    first: "Reply | None" = None


def reply(
    body: bytes,
    content_type: str,
    *,
    delay: float = 0.0,
    packed: bool = False,
    size: int = 0,
    first: Reply | None = None,
) -> Reply:
    """A page or file, `packed` for clients that accept gzip."""
    return Reply(
        body,
        headers={"Content-Type": content_type} if content_type else {},
        delay=delay,
        packed=gzip.compress(body, mtime=0) if packed else b"",
        size=size,
        first=first,
    )


def redirect(status: int, location: str) -> Reply:
    """A redirect to an absolute URL."""
    body = f'<a href="{location}">moved</a>\n'.encode()
    return Reply(body, status, {"Content-Type": HTML, "Location": location})


def failure(status: int, retry_after: int | None = None) -> Reply:
    """An error; `retry_after` in seconds."""
    headers = {"Content-Type": HTML}
    if retry_after is not None:
        headers["Retry-After"] = str(retry_after)
    return Reply(f"<h1>{status}</h1>\n".encode(), status, headers)
