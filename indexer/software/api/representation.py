"""Representations of a CodeMeta document: its version, its bytes, and the tag of these bytes."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from indexer.software.rules.property import Property
from indexer.software.store.values import DESCRIBING
from indexer.software.translation.document import NEWEST, canonical, document
from indexer.software.vocabulary.contexts import URLS, short_names, terms

VERSIONS: Final = {"2": "2.0", "3": "3.0"}
"""The versions of CodeMeta that clients ask for."""

JSON_LD: Final = "application/ld+json"

_PROFILE = re.compile(r'profile\s*=\s*"?([^";,]+)')
_TAG = re.compile(r'(?:W/)?("[^"]*")')


def version_of(asked: str | None, accept: str) -> str:
    """Return the version that a parameter, or else the profile of an Accept header, asks for."""
    if asked:
        return VERSIONS[asked]
    profiles = _PROFILE.findall(accept)
    known = {url.casefold(): version for version, url in URLS.items()}
    found = (known.get(each.strip().rstrip("/").casefold()) for each in profiles)
    return next(filter(None, found), NEWEST)


def restated(found: Mapping[str, Any], version: str) -> bytes:
    """Return a document as JSON, in the terms of a version of CodeMeta."""
    kind = found.get("type")
    return canonical(
        document(
            _properties(found), version, kind if isinstance(kind, str) else "SoftwareSourceCode"
        )
    )


def tag_of(body: bytes) -> str:
    """Return the entity tag of a body (RFC 9110, 8.8.3): the same bytes have the same tag."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def is_known(tag: str, if_none_match: str) -> bool:
    """Whether a client has the representation of a tag already (RFC 9110, 13.1.2)."""
    return if_none_match.strip() == "*" or tag in _TAG.findall(if_none_match)


def _properties(found: Mapping[str, Any]) -> Iterator[Property]:
    short = {**short_names("2.0"), **short_names("3.0")}
    for name, value in found.items():
        if name in DESCRIBING and name not in ("id", "@id"):
            continue
        term = short.get(name, name) if ":" in name else name
        # A literal in a term of IRIs stands under the prefixed name.
        is_literal = ":" in name and term in terms(NEWEST)
        for each in value if isinstance(value, list) else [value]:
            literal = is_literal and isinstance(each, str)
            yield Property(term, {"@value": each} if literal else each, "", "")
