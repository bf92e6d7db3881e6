"""The result of a fetch: the head of the answer, and its body without content encodings."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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
