"""The column `normalized_url`, which is reported: that of `mcmetadata`, as in indexed stories.

The library takes half a millisecond a URL. Plain ones, which are most, are done here, in the steps
of the library that change them; it is asked about all others. What two URLs share is not decided
by this, but by `identity`.
"""

import re
import unicodedata
from typing import Final
from urllib.parse import unquote

from indexer.errors import Discard
from indexer.news import ids
from indexer.news.mcmetadata import library

_variant: Final[re.Pattern[str]] = library("urls").another_url_pattern

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
"""What the library has a rule of its own for."""

_PREFIXES = ("_", "ga_", "utm_")
_REMOVED = {
    *("fb_action_ids", "fb_action_types", "fb_source", "fb_ref", "fsrc_fb_noscript"),
    *("action_object_map", "action_type_map", "action_ref_map", "yclid", "ns_mchannel"),
    *("ns_campaign", "cid", "s_cid", "sid", "ncid", "ir", "ref", "oref", "eref", "wprss"),
    *("custom_click", "source", "skipmobile", "skip_mobile", "altcast_code"),
}
"""The names that the library removes: of those that it has in capitals it finds none."""

_ESCAPE = re.compile(r"%[0-9a-f]{2}")


def normalized_url(url: str) -> str | None:
    """What `mcmetadata` makes of a URL, None where it makes nothing of it."""
    return plainly(url) or _by_the_library(url)


def plainly(url: str) -> str | None:
    """The same of a URL that is plain; None for all others."""
    lowered = url.lower() if url.isascii() else ""
    if not _PLAIN.fullmatch(lowered) or _SPECIAL.search(lowered):
        return None
    # Up to the last dot of the whole URL: so a label is removed also where no domain is left.
    text = _variant.sub(r"\1\3", lowered).partition("#")[0]
    front, _, query = text.partition("://")[2].partition("?")
    if "%" in front:
        if not _is_plain_text(front):
            return None
        front = _ESCAPE.sub(lambda escape: escape[0].upper(), front)
    kept = sorted(part for part in query.split("&") if part and not _is_removed(part))
    return f"http://{front}?{'&'.join(kept)}" if kept else f"http://{front}"


def _is_plain_text(path: str) -> bool:
    try:
        return unicodedata.is_normalized("NFC", unquote(path, errors="strict"))
    except UnicodeDecodeError:
        return False


def _is_removed(part: str) -> bool:
    name = part.partition("=")[0]
    return name in _REMOVED or name.startswith(_PREFIXES)


def _by_the_library(url: str) -> str | None:
    try:
        return ids.normalize_url(url)
    except Discard:
        return None
