"""Unpacks bodies that are gzip by their first bytes: `.xml.gz` comes without Content-Encoding."""

import io

from indexer.errors import BadFeed, InputError
from indexer.text.cleaning import one_line
from indexer.text.unpacking import GZIP, head_of, unpacked

MAX_BYTES = 50_000_000
"""The largest size of a sitemap, by the protocol of sitemaps."""


def document(body: bytes, limit: int = MAX_BYTES) -> bytes:
    """Unpack a body. Raises BadFeed if it is cut off, damaged, or unpacks to over `limit` bytes."""
    if not body.startswith(GZIP):
        return body
    try:
        with unpacked("body", io.BytesIO(body), limit) as file:
            return file.read()
    except InputError as error:
        raise BadFeed(f"Exception('gzip: {one_line(str(error))}')") from error


def first_bytes(body: bytes, size: int) -> bytes:
    """Return the first bytes of the unpacked body; none if it can't be unpacked."""
    if not body.startswith(GZIP):
        return body[:size]
    try:
        with unpacked("body", io.BytesIO(body), MAX_BYTES) as file:
            return head_of(file, size)
    except InputError:
        return b""
