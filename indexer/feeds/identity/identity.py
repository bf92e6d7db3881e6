"""The identity of a story: by its URL, by its guid, by its title (docs/feeds/identity.md).

URL    percent-encoding in one form, no tracking parameters → `identity` → `url_key`
guid   if it tells items apart: some feeds give the same guid to all items → `guid_key`
title  normalised, and compared within one source (feeds.md 8.3) → `title_hash`
"""

import re
from collections.abc import Iterable
from hashlib import blake2b, md5
from string import punctuation

from indexer.errors import BadURL
from indexer.feeds.attempt import NewItem
from indexer.feeds.identity.tracking import without_tracking
from indexer.http.urls.parts import Parts, server, split, without_dots, without_www
from indexer.news.homepages import is_front_page_path

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


_NORMAL = re.compile(
    r"""(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?\#]++  # unreserved and reserved
        |%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-DF])
        )*+""",
    re.VERBOSE,
)
_ODD = re.compile(
    r"""(?P<bytes>(?:%[89a-fA-F][0-9a-fA-F])+)  # not ASCII
        |%(?P<ascii>[0-7][0-9a-fA-F])
        |(?P<raw>[^A-Za-z0-9\-._~!$&'()*+,;=:@/?\#%]+)
        |%""",
    re.VERBOSE,
)
# RFC 3986, 2.3: escaping these characters never changes the meaning of a URL.
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def normal(text: str) -> str:
    """A part of a URL in ASCII: unreserved characters plain, others as upper-case UTF-8 escapes.

    Escapes of reserved characters (`%2F`, `%26`) stay: the plain character has another meaning.
    Raises ValueError for lone surrogates.
    """
    # Most URLs are normal already, and the test is quicker than the substitution.
    return text if _NORMAL.fullmatch(text) else _ODD.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    if found["bytes"]:
        return found["bytes"].upper()
    if found["ascii"]:
        char = chr(int(found["ascii"], 16))
        return char if char in _UNRESERVED else f"%{found['ascii'].upper()}"
    return "".join(f"%{byte:02X}" for byte in (found["raw"] or "%").encode())


_PLACEHOLDERS = {
    *("", "0", "-1", "-", "#", "n/a", "na", "nil", "none", "null", "undefined"),
    *("false", "true", "guid", "id", "http://", "https://"),
}


def tells_apart(guid: str | None, feed_url: str) -> bool:
    """Whether a guid may identify an item: no placeholder, not the feed's or a site's URL."""
    trimmed = (guid or "").strip()
    # Some feeds give their own URL, or the site's, as the guid of every item.
    if trimmed == feed_url or trimmed.lower() in _PLACEHOLDERS:
        return False
    parts = split(trimmed)
    if parts is None or parts.query or parts.fragment:
        return True
    return not parts.is_web or not is_front_page_path(parts.path)


def ambiguous(items: Iterable[NewItem]) -> set[str]:
    """The guids, trimmed, that several stories of one document share."""
    # A guid may also be wrong without being a placeholder: templates copy the guid of an old item.
    first: dict[str, str] = {}
    shared = set()
    for item in items:
        if item.guid:
            guid = item.guid.strip()
            if first.setdefault(guid, item.identity) != item.identity:
                shared.add(guid)
    return shared


TITLE_LENGTH = 1024

# Titles of megabytes exist; the markup in front of the text is rarely longer than this.
_READ = 16 * TITLE_LENGTH
_PASSES = 4
"""The number of times that tags are removed: removing a tag may leave another one."""

_TAG = re.compile(r"<[a-zA-Z/!?][^<>]*>")
_ENTITY = re.compile(r"&#?[a-z0-9]*", re.IGNORECASE)


def normalized_title(title: str | None) -> str:
    """The title in lower case, without tags, entities and punctuation around it; "" without one."""
    if not title:
        return ""
    text = title[:_READ]
    if "<" in text:
        text = _without_tags(text)
    if "&" in text:
        text = _ENTITY.sub(" ", text)
    # The steps and their order are those of `mcmetadata.titles.normalize_title`.
    text = " ".join(text.strip(punctuation).split())
    return text[:TITLE_LENGTH].strip().lower()[:TITLE_LENGTH]


def title_hash(normalized: str) -> str:
    """The MD5 of a normalised title, in hex; "" for a title without letters and digits.

    Raises ValueError for lone surrogates.
    """
    if not any(map(str.isalnum, normalized)):
        return ""
    return md5(normalized.encode(), usedforsecurity=False).hexdigest()


def _without_tags(text: str) -> str:
    for _ in range(_PASSES):
        shorter = _TAG.sub("", text)
        if shorter == text:
            break
        text = shorter
    return text
