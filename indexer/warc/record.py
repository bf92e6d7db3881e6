"""One record of a WARC file, as read from it."""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

HTTP_END = b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Record:
    """A record: its headers, names in lower case, and its block.

    `number` counts from 1; `offset` is the position of its gzip member in the file (of the record,
    if the file is not compressed). `length` is the value of Content-Length.
    """

    number: int
    offset: int
    kind: str
    length: int
    block: bytes
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """WARC-Record-ID, with its brackets; "" if there is none."""
        return self.headers.get("warc-record-id", "")

    @property
    def refers_to(self) -> str:
        """WARC-Refers-To, the id of the record that this one describes; "" if there is none."""
        return self.headers.get("warc-refers-to", "")

    @property
    def uri(self) -> str:
        """WARC-Target-URI; "" if there is none."""
        return self.headers.get("warc-target-uri", "")

    @property
    def date(self) -> str:
        """WARC-Date: YYYY-MM-DDThh:mm:ssZ."""
        return self.headers.get("warc-date", "")

    @property
    def content_type(self) -> str:
        """The Content-Type of the block."""
        return self.headers.get("content-type", "")

    def http(self) -> tuple[bytes, bytes]:
        """The HTTP header of a response and its body; (b"", block) where there is no header."""
        # Only responses and requests have a header; metadata and conversions are plain blocks.
        if not self.block.startswith(b"HTTP/"):
            return b"", self.block
        head, _, body = self.block.partition(HTTP_END)
        return head, body


@dataclass(frozen=True, slots=True)
class Damage:
    """A part of the file that is no readable record: its offset, and the reason."""

    number: int
    offset: int
    why: str


def digest(*parts: bytes) -> str:
    """The labelled SHA-1 digest of a block in base32, the form of WARC-Block-Digest."""
    sha1 = hashlib.sha1(usedforsecurity=False)
    for part in parts:
        sha1.update(part)
    return "sha1:" + base64.b32encode(sha1.digest()).decode("ascii")
