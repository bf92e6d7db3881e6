"""DOIs: recognised in URLs and texts, and resolved by the API of the DOI system.

https://doi.org/10.5281/zenodo.1, doi:10.5281/zenodo.1, info:doi/10.5281/zenodo.1 → the DOI
"""

import re
from urllib.parse import quote, unquote

from indexer.http.urls.parts import host_of, is_within, split

RESOLVERS = ("doi.org", "dx.doi.org", "handle.net")
"""Hosts whose paths are DOIs and handles."""

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
_TEXT = re.compile(
    r"\s*(?:(?:info:|urn:)?doi[:/]\s*)?(10\.\d{4,9}(?:\.\d+)*/\S+)\s*", re.IGNORECASE
)
# Punctuation of the sentence in which a DOI was found; none of it ends a real DOI.
_AROUND = "\"'<>,;."


def doi_of(text: str) -> str:
    """The DOI that a text or the URL of a resolver is, in lower case; "" if it is none.

    DOIs are equal in any case (ISO 26324); all programs that compare them want one form.
    """
    parts = split(text)
    if parts is None:
        found = _TEXT.fullmatch(unquote(text))
        return _trimmed(found[1]) if found else ""
    host = host_of(text)
    path = unquote(parts.path).lstrip("/").removeprefix("doi:").strip()
    if host is None or not is_within(host, RESOLVERS) or not _DOI.fullmatch(path):
        return ""
    return _trimmed(path)


def doi_in(path: str) -> str:
    """The DOI that a path ends with, in lower case: `/doi/10.1/a`, `/dataset/doi:10.1/a`; or ""."""
    found = _DOI.search(unquote(path))
    return _trimmed(found[0]) if found else ""


def handle_api(doi_url: str, doi: str) -> str:
    """The URL of the API call that resolves a DOI (spec 10.10)."""
    return f"{doi_url}/api/handles/{quote(doi, safe='/:()')}"


def _trimmed(doi: str) -> str:
    return doi.strip(_AROUND).rstrip("/").lower()
