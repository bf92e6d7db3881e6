"""What a fetch gives: the answer's head, and its body as it is after content encodings."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_CHARSET = re.compile(r""";\s*charset\s*=\s*["']?\s*([A-Za-z0-9_.:+-]{1,40})""", re.IGNORECASE)
_MEDIA_TYPE = re.compile(r"\s*([a-z0-9!#$&^_.+-]{1,80}/[a-z0-9!#$&^_.+-]{1,80})\s*(?:[;,]|$)")


@dataclass(frozen=True, slots=True)
class Response:
    """An answer. `url` is the final one; `redirects` those before it, in order.

    `headers` don't care about case. `body` is empty where it was not wanted. `seconds`: how
    long all of it took. `reason`: the words after the status.
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
        """The charset that Content-Type declares; None if none is: never a default."""
        found = _CHARSET.search(self.headers.get("content-type", ""))
        return found[1] if found else None

    @property
    def media_type(self) -> str | None:
        """The type of Content-Type, such as text/html, in lower case; None without a sound one."""
        found = _MEDIA_TYPE.match(self.headers.get("content-type", "").lower())
        return found[1] if found else None
