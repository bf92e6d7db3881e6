"""The document of a body that may be gzip, told by its first bytes: `.xml.gz` has no header."""

import io

from indexer.errors import BadFeed, InputError
from indexer.text.cleaning import one_line
from indexer.text.unpacking import GZIP, head_of, unpacked

MAX_BYTES = 50_000_000
"""The size that sitemaps may have."""


def document(body: bytes, limit: int = MAX_BYTES) -> bytes:
    """The body, unpacked. Raises BadFeed if it is cut or damaged, or more than `limit` bytes."""
    if not body.startswith(GZIP):
        return body
    try:
        with unpacked("body", io.BytesIO(body), limit) as file:
            return file.read()
    except InputError as error:
        raise BadFeed(f"Exception('gzip: {one_line(str(error))}')") from error


def first_bytes(body: bytes, size: int) -> bytes:
    """The first bytes of the document; none if it can't be unpacked."""
    if not body.startswith(GZIP):
        return body[:size]
    try:
        with unpacked("body", io.BytesIO(body), MAX_BYTES) as file:
            return head_of(file, size)
    except InputError:
        return b""
