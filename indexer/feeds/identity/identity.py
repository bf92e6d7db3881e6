"""What makes two items one story: docs/feeds/identity.md."""

import re
from hashlib import blake2b

from indexer.feeds.identity.escapes import normal
from indexer.feeds.identity.tracking import without_tracking
from indexer.feeds.identity.url_parts import Parts, cut, server, without_www

MAX_LENGTH = 2000
"""Of an identity. PostgreSQL takes no more than 2,704 bytes into an index."""

_SESSION = re.compile(r";jsessionid=[^/;]*", re.IGNORECASE)
_HASH_BYTES = 16


def identity(url: str) -> str | None:
    """What all URLs of a story share, as readable ASCII; None for a URL that has no such thing.

    Of a URL that is repaired. Scheme, `www.`, default port, user, fragment, and parameters that
    say where the reader comes from don't count. All else does, also the case of letters.
    """
    parts = cut(url)
    if parts is None:
        return None
    try:
        return identity_of(parts)
    except ValueError:
        return None


def identity_of(parts: Parts) -> str | None:
    """`identity` of what was cut already. Raises ValueError for what can't be a URL."""
    host, port = server(parts.scheme, parts.authority)
    if not host:
        return None
    path = _path(parts.path)
    text = without_www(host)
    if not parts.is_web:
        text = f"{parts.scheme}://{text}"
    text += f":{port}{path}" if port else path
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
    path = normal(path)
    return _without_dots(path) if "/." in path else path


def _without_dots(path: str) -> str:
    """Without `.` and `..`, which no browser sends (RFC 3986, 5.2.4)."""
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def _shortened(text: str) -> str:
    """Its beginning and a hash of the whole, with a blank between: no other identity has one."""
    digest = blake2b(text.encode(), digest_size=_HASH_BYTES).hexdigest()
    return f"{text[: MAX_LENGTH - 33]} {digest}"
