"""Hypothesis strategies: stories with anything in them that a message can hold."""

from typing import Any

import msgspec
from hypothesis import strategies as st

from indexer.stories.story import ContentMetadata, HTTPMetadata, RawHTML, RSSEntry, Story

# Lone surrogates are no Unicode text: no message can hold them.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)

_VALUES: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXTS,
    int: st.integers(-(2**63), 2**63 - 1),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
}


def _fields(kind: type[msgspec.Struct]) -> dict[str, st.SearchStrategy[Any]]:
    """A strategy for each field: a value of its type, or None."""
    return {
        field.name: st.none() | _VALUES[next(t for t in field.type.__args__ if t in _VALUES)]
        for field in msgspec.structs.fields(kind)
    }


def stories() -> st.SearchStrategy[Story]:
    """Stories with a page, and any value in any field."""
    return st.builds(
        Story,
        rss_entry=st.builds(RSSEntry, **_fields(RSSEntry)),
        http_metadata=st.builds(HTTPMetadata, **_fields(HTTPMetadata)),
        content_metadata=st.builds(ContentMetadata, **_fields(ContentMetadata)),
        raw_html=st.builds(RawHTML, html=st.binary(max_size=300), encoding=st.none() | TEXTS),
    )
