"""A request to a repository, and its answer: a content, and how it goes over the wire."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Protocol
from urllib.parse import parse_qsl, quote

from newsroom.repositories.content import Content
from newsroom.repositories.dataset import Dataset, File

Headers = Mapping[str, str]

HTML = "text/html; charset=utf-8"
LAST_MODIFIED = "Fri, 15 Mar 2024 09:30:00 GMT"

# What the platforms leave as it is in the URLs of files (filesets.md 10.1).
SAFE = "/!$&'()*+,;=:@"


class Readable(Protocol):
    """What bytes can be read from."""

    def read(self, size: int, /) -> bytes: ...


class Body:
    """The body of a request: `size` bytes of a connection."""

    def __init__(self, stream: Readable, size: int) -> None:
        self._stream = stream
        self.size = self.left = size

    def read(self, size: int = -1) -> bytes:
        """The next bytes, fewer than `size` only at the end."""
        found = self._stream.read(self.left if size < 0 else min(size, self.left))
        self.left -= len(found)
        return found


@dataclass(frozen=True, slots=True)
class Asked:
    """A request; header names are lower case, `target` is as it was sent."""

    method: str
    host: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Body = field(default_factory=lambda: Body(BytesIO(), 0))

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def query(self) -> dict[str, str]:
        """The parameters; of two with one name the last."""
        return dict(parse_qsl(self.target.partition("?")[2], keep_blank_values=True))

    @property
    def url(self) -> str:
        return f"http://{self.host}{self.target}"

    def number(self, name: str, default: int) -> int:
        """A parameter that is a number."""
        text = self.query.get(name, "")
        return int(text) if text.isdecimal() else default

    def wants(self, mimetype: str) -> bool:
        return mimetype in self.headers.get("accept", "")


@dataclass(frozen=True, slots=True)
class Answer:
    """A response. `ranges`: Range is honoured; `if_range`: so is If-Range.

    `file` is the name of a file in the log. The rest are faults: seconds of `delay` before the
    answer, a connection that is `cut` after so many bytes of the body, as an end or as a `reset`,
    and a `pace` in bytes a second.
    """

    content: Content
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    ranges: bool = False
    if_range: bool = True
    file: str = ""
    delay: float = 0.0
    cut: int | None = None
    reset: bool = False
    pace: int = 0
    fault: str = ""


def answer(
    body: bytes | str, content_type: str, status: int = 200, headers: Headers | None = None
) -> Answer:
    """A page or another text. Empty headers are left out."""
    raw = body.encode() if isinstance(body, str) else body
    given = {name: value for name, value in (headers or {}).items() if value}
    return Answer(Content(raw), status, {"Content-Type": content_type, **given})


def json_answer(
    value: Any,
    status: int = 200,
    headers: Headers | None = None,
    content_type: str = "application/json",
) -> Answer:
    return answer(json.dumps(value, ensure_ascii=False), content_type, status, headers)


def redirect(location: str, status: int = 302) -> Answer:
    body = f'<a href="{location}">Redirecting</a>\n'
    return answer(body, HTML, status, {"Location": location})


def file_answer(
    dataset: Dataset, file: File, etag: str = "", headers: Headers | None = None
) -> Answer:
    """The bytes of a file; a Range is honoured."""
    named = {
        "Content-Type": file.mimetype,
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(file.name, safe='')}",
        "ETag": etag or f'"{file.content.hash("md5")}"',
        "Last-Modified": LAST_MODIFIED,
        "Accept-Ranges": "bytes",
        **(headers or {}),
    }
    return Answer(file.content, 200, named, ranges=True, file=dataset.key(file))


def quoted(path: str) -> str:
    """A path in a URL."""
    return quote(path, safe=SAFE)
