"""Origins with metadata in a search index."""

from typing import Any

from indexer.search import SearchIndex
from indexer.software.searching.documents import origin_document
from indexer.software.searching.search import SoftwareQuery, search_page
from indexer.software.searching.tiers import tree_of
from indexer.software.store.origins import OriginMetadata
from indexer.software.store.rows import ExtrinsicMetadataRow, OriginMetadataRow
from tests.software.store.stores import codemeta


def url(name: str) -> str:
    """The URL of an origin."""
    return f"https://git.example/{name}"


def intrinsic(path: str, /, *mappings: str, **terms: Any) -> OriginMetadata:
    """An origin whose own files state these terms."""
    row = OriginMetadataRow(url(path), 1, codemeta(**terms), mappings, head="swh:1:rev:1")
    return OriginMetadata(url(path), row)


def stated(path: str, /, *, trusted: bool = True, **terms: Any) -> ExtrinsicMetadataRow:
    """What an authority states about an origin."""
    authority = "https://git.example" if trusted else "https://third.example"
    return ExtrinsicMetadataRow(
        url(path), 1, authority, "gitea", codemeta(**terms), ("gitea",), trusted=trusted
    )


def fill(index: SearchIndex, *origins: OriginMetadata) -> None:
    """Add the documents of origins."""
    index.update([document for each in origins if (document := origin_document(each))])
    index.refresh()


def names(index: SearchIndex, text: str = "*", **given: Any) -> str:
    """The names of the hits of a query, in order."""
    hits, _ = search_page(index, SoftwareQuery(tree_of(text), **given))
    return " ".join(hit.document.text("origin").removeprefix(url("")) for hit in hits)
