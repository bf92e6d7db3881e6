"""What makes two items one story: docs/feeds/identity.md."""

import re
from hashlib import blake2b

from indexer.errors import BadURL
from indexer.feeds.identity.escapes import normal
from indexer.feeds.identity.tracking import without_tracking
from indexer.http.urls.hosts import without_www
from indexer.http.urls.parts import Parts, server, split, without_dots

MAX_LENGTH = 2000
"""Of an identity. PostgreSQL takes no more than 2,704 bytes into an index."""

_SESSION = re.compile(r";jsessionid=[^/;]*", re.IGNORECASE)
_HASH_BYTES = 16


def identity(url: str) -> str | None:
    """What all URLs of a story share, as readable ASCII; None for a URL that has no such thing.

    Of a URL that is repaired. Scheme, `www.`, default port, user, fragment, and parameters that
    say where the reader comes from don't count. All else does, also the case of letters.
    """
    parts = split(url)
    try:
        return identity_of(parts) if parts else None
    except (BadURL, ValueError):
        return None


def identity_of(parts: Parts) -> str:
    """`identity` of a URL in its parts. Raises BadURL, and ValueError for lone surrogates."""
    found = server(parts.scheme, parts.authority)
    path = _path(parts.path)
    text = without_www(found.name)
    if not parts.is_web:
        text = f"{parts.scheme}://{text}"
    text += f":{found.port}{path}" if found.port else path
    if parts.query and (query := without_tracking(normal(parts.query), path)):
        text += f"?{query}"
    if parts.is_route:
        text += f"#{normal(parts.fragment)}"
    return text if len(text) <= MAX_LENGTH else _shortened(text)


def url_key(identity: str) -> bytes:
    """The 16 bytes by which an identity is remembered."""
    return _key(b"url", identity)


def guid_key(feed_id: int, guid: str) -> bytes | None:
    """The 16 bytes by which a guid of a feed is remembered; None for one that is blank."""
    trimmed = guid.strip()
    return _key(b"guid", f"{feed_id} {trimmed}") if trimmed else None


def _key(kind: bytes, text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return blake2b(data, digest_size=_HASH_BYTES, person=kind).digest()


def _path(path: str) -> str:
    if not path:
        return "/"
    if ";" in path:
        path = _SESSION.sub("", path)
    return without_dots(normal(path))


def _shortened(text: str) -> str:
    """Its beginning and a hash of the whole, with a blank between: no other identity has one."""
    digest = blake2b(text.encode(), digest_size=_HASH_BYTES).hexdigest()
    return f"{text[: MAX_LENGTH - 33]} {digest}"
