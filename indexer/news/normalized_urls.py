"""The normalised URL, from which document ids are made, exactly as it was in the indexed years.

    plain URL (nearly all)  → `_plainly`: the steps of `mcmetadata` that change such a URL
    any other               → the steps of `mcmetadata` itself, with `_url_normalize_1_4` among them

The ids of the indexed years were made with url-normalize 1.4.3. Later releases normalise in another
way, so that one step is written here (docs/decisions/0002-document-ids.md).
"""

import hashlib
import re
import unicodedata
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from indexer.errors import Discard
from indexer.http.urls.registered_domains import suffixes
from indexer.news.mcmetadata import library

_LABEL = re.compile(
    r"(https?://)(m|beta|media|data|image|www|cdn|topic|article|news|archive|blog|video|search"
    r"|preview|login|shop|sports?|act|donate|press|web|photos?|\d+?).?\.(.*\.)",
    re.IGNORECASE,
)
"""The library's `another_url_pattern`."""

_PLAIN = re.compile(
    r"""https?://
        (?=[^/]{1,253}/)(?:[a-z0-9][a-z0-9_-]{0,62}\.)+[a-z]{2,63}
        (?:(?:/(?:[a-z0-9_~,;+!()-]++|%[89a-f][0-9a-f]|\.(?![./?\#]|\Z))+)+/?|/)
        (?:\?[a-z0-9_-]+=[a-z0-9_.-]+(?:&[a-z0-9_-]+=[a-z0-9_.-]+)*)?
        (?:\#[a-z0-9_.-]*)?
    """,
    re.VERBOSE,
)
_SPECIAL = re.compile(
    r"""^https?://(?:archive.is/|[^/]*youtube.com/)|r2\.ly|podomatic
        |^[^?]*(?:facebook\.com|nytimes\.com|livejournal\.com|google\.).*\?
        |[?&]nk=|[^?&]utm_source=
    """,
    re.VERBOSE,
)
"""URLs for which the library has rules of their own."""

_SPECIAL_WORDS = (
    *("archive", "youtube", "r2.ly", "podomatic", "facebook", "nytimes", "livejournal", "google"),
    *("nk=", "utm_source="),
)
"""Each of these URLs has one of these words, which are found in a fifth of the time."""

_PREFIXES = ("_", "ga_", "utm_")
_REMOVED = {
    *("fb_action_ids", "fb_action_types", "fb_source", "fb_ref", "fsrc_fb_noscript"),
    *("action_object_map", "action_type_map", "action_ref_map", "yclid", "ns_mchannel"),
    *("ns_campaign", "cid", "s_cid", "sid", "ncid", "ir", "ref", "oref", "eref", "wprss"),
    *("custom_click", "source", "skipmobile", "skip_mobile", "altcast_code"),
}
"""Parameters that the library removes. Its names in capitals match nothing: URLs are lower-case."""

_ESCAPE = re.compile(r"%[0-9a-f]{2}")


def normalize_url(url: str) -> str:
    """The URL in the form that duplicates share. Lossy. Raises Discard("bad-url")."""
    return _plainly(url) or _by_the_library(url)


def normalized_url(url: str) -> str | None:
    """`normalize_url`, or None for a URL that can't be normalised."""
    try:
        return normalize_url(url)
    except Discard:
        return None


def unique_url_hash(url: str) -> str:
    """The document id: the sha256, in hex, of the normalised URL. Raises Discard("bad-url").

    The ids of indexed stories must never change (docs/decisions/0002-document-ids.md).
    """
    return hashlib.sha256(normalize_url(url).encode()).hexdigest()


def _plainly(url: str) -> str | None:
    """The normalised form of a plain URL; None for any other."""
    lowered = url.lower() if url.isascii() else ""
    # The library decodes and encodes names with `xn--`, which may fail.
    if not _PLAIN.fullmatch(lowered) or _is_special(lowered) or "xn--" in lowered:
        return None
    # The library removes such a label also where no domain is left: web.com/a.html is com/a.html.
    label = _LABEL.match(lowered)
    start = label.start(3) if label else lowered.index("://") + 3
    front, _, query = lowered[start:].partition("#")[0].partition("?")
    if "%" in front:
        if not _is_normal_text(front):
            return None
        front = _ESCAPE.sub(lambda escape: escape[0].upper(), front)
    kept = sorted(part for part in query.split("&") if part and not _is_removed(part))
    return f"http://{front}?{'&'.join(kept)}" if kept else f"http://{front}"


def _is_special(url: str) -> bool:
    return any(map(url.__contains__, _SPECIAL_WORDS)) and bool(_SPECIAL.search(url))


def _is_normal_text(path: str) -> bool:
    try:
        return unicodedata.is_normalized("NFC", unquote(path, errors="strict"))
    except UnicodeDecodeError:
        return False


def _is_removed(part: str) -> bool:
    name = part.partition("=")[0]
    return name in _REMOVED or name.startswith(_PREFIXES)


# Each story is normalised for its id, its column and its kind: 0.3 ms each time.
@lru_cache(maxsize=1024)
def _by_the_library(url: str) -> str:
    try:
        normalized: str | None = library_urls().normalize_url(url)
    except (ValueError, AttributeError) as error:
        # A URL that can't be split or encoded, or one without a host.
        raise Discard("bad-url", str(error)) from error
    if not normalized:
        raise Discard("bad-url", "an empty URL")
    return normalized


def _url_normalize_1_4(url: str) -> str:
    """The function `url_normalize` of release 1.4.3, for URLs as `mcmetadata` gives them to it.

    They begin with `http`, and have no fragment. Raises an exception wherever the release did:
    `mcmetadata` then leaves the URL as it is.
    """
    if ":" not in url[:7]:
        url = f"https://{url}"
    url = re.sub(r"utm_source=[^&]+&?", "", url).rstrip("&? ").strip()
    scheme, authority, path, query, fragment = urlsplit(url)
    user, host, port = re.search(r"([^@]*@)?([^:]*):?(.*)", authority).groups("")  # type: ignore[union-attr] # matches any text
    host = host.lower().strip(".").encode("idna").decode("ascii")
    if port.isdigit() and {"http": "80", "https": "443"}[scheme] == (port := str(int(port))):
        port = ""
    authority = f"{'' if user in ('@', ':@') else user}{host}{':' if port else ''}{port}"
    path = _requoted(path, "~:/?#[]@!$&'()*+,;=")
    if scheme in ("", "http", "https"):
        path = _without_dots_1_4(path)
    pairs = (part.split("=", 1) for part in query.split("&"))
    query = "&".join(
        sorted("=".join(_requoted(text, "~:/?#[]@!$'()*+,;=") for text in pair) for pair in pairs)
    )
    return urlunsplit((scheme, authority, path, query, fragment))


def _requoted(text: str, safe: str) -> str:
    return quote(unicodedata.normalize("NFC", unquote(text)).encode(), safe)


def _without_dots_1_4(path: str) -> str:
    """The path without `.` and `..`, and without empty segments."""
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            if len(kept) > 1:
                kept.pop()
        elif segment not in ("", ".") or not (kept or segment):
            kept.append(segment)
    if segments[-1] in ("", ".", ".."):
        kept.append("")
    return "/".join(kept)


@cache
def library_urls() -> Any:
    """`mcmetadata.urls` with its suffixes and the step that is written here.

    It is loaded at its first use: it takes a fifth of the time in which a program starts, and plain
    URLs need nothing of it.
    """
    suffixes()
    # `library` loads a copy of the module that only this project uses.
    found: Any = library("urls")
    found.url_normalize = SimpleNamespace(url_normalize=_url_normalize_1_4)
    return found
