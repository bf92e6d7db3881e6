"""The identity of a story, made from its URL: docs/feeds/identity.md."""

import re
from hashlib import blake2b

from indexer.errors import BadURL
from indexer.feeds.identity.escapes import normal
from indexer.feeds.identity.tracking import without_tracking
from indexer.http.urls.hosts import without_www
from indexer.http.urls.parts import Parts, server, split, without_dots

MAX_LENGTH = 2000
"""The longest identity. An entry of a PostgreSQL index has at most 2,704 bytes."""

_SESSION = re.compile(r";jsessionid=[^/;]*", re.IGNORECASE)
# 128 bits: among ten billion keys two equal ones are unlikely (1 in 10**18).
_HASH_BYTES = 16


def identity(url: str) -> str | None:
    """The part that all URLs of a story share, as readable ASCII; None for a URL without a host.

    The URL is repaired already. Scheme, `www.`, default port, user, fragment and tracking
    parameters are left out. Everything else stays, also the case of letters.
    """
    parts = split(url)
    try:
        return identity_of(parts) if parts else None
    except (BadURL, ValueError):
        return None


def identity_of(parts: Parts) -> str:
    """The identity of a URL in its parts. Raises BadURL, and ValueError for lone surrogates."""
    found = server(parts.scheme, parts.authority)
    path = _path(parts.path)
    text = without_www(found.name)
    # http and https show the same page; a story is often announced by both.
    if not parts.is_web:
        text = f"{parts.scheme}://{text}"
    text += f":{found.port}{path}" if found.port else path
    if parts.query and (query := without_tracking(normal(parts.query), path)):
        text += f"?{query}"
    if parts.is_route:
        text += f"#{normal(parts.fragment)}"
    return text if len(text) <= MAX_LENGTH else _shortened(text)


def url_key(identity: str) -> bytes:
    """The key of 16 bytes for an identity."""
    return _key(b"url", identity)


def guid_key(feed_id: int, guid: str) -> bytes | None:
    """The key of 16 bytes for a guid of a feed; None for a blank guid."""
    trimmed = guid.strip()
    return _key(b"guid", f"{feed_id} {trimmed}") if trimmed else None


def _key(kind: bytes, text: str) -> bytes:
    # A guid may hold a lone surrogate: JSON can spell one.
    data = text.encode("utf-8", "surrogatepass")
    return blake2b(data, digest_size=_HASH_BYTES, person=kind).digest()


def _path(path: str) -> str:
    if not path:
        return "/"
    if ";" in path:
        path = _SESSION.sub("", path)
    return without_dots(normal(path))


def _shortened(text: str) -> str:
    """The beginning and a hash of the whole; the blank between is in no other identity."""
    digest = blake2b(text.encode(), digest_size=_HASH_BYTES).hexdigest()
    return f"{text[: MAX_LENGTH - 33]} {digest}"
