"""Normalised URLs: all rows of the golden file, and random URLs that the fast steps take."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.news.mcmetadata import library
from indexer.news.normalized_urls import normalized_url
from tests.each_row import each_row
from tests.feeds.properties import patient
from tests.news.golden import NORMALIZED


@each_row(("url", "normalized"), NORMALIZED)
def test_a_url_is_normalised_as_it_has_always_been(
    caplog: pytest.LogCaptureFixture, url: str, normalized: str | None
) -> None:
    # The library logs URLs with lone surrogates, which pytest-xdist can't transfer.
    caplog.set_level(logging.CRITICAL, "_mcmetadata.urls")
    assert normalized_url(url) == normalized


_WORD = st.text("abyzABYZ0189._-~,;+!()", min_size=1, max_size=6)
_NAME = st.sampled_from(["a", "ID", "ref", "sid", "utm_x", "ga_", "_", "Sort", "utm_source", "nk"])
_URL = st.builds(
    lambda host, path, query, end: f"https://{host}.com/{'/'.join(path)}?{'&'.join(query)}{end}",
    st.sampled_from(["www.x", "m.x", "news", "web", "x-y", "1", "m1.x", "blogs.x", "google.x"]),
    st.lists(
        _WORD
        | st.text("àé日", min_size=1, max_size=2)
        .map(lambda t: t.encode().hex("%"))
        .map(lambda t: f"%{t}"),
        max_size=3,
    ),
    st.lists(st.tuples(_NAME, _WORD).map("=".join), max_size=3),
    st.sampled_from(["", "#a.b"]),
).map(lambda url: url.replace("?#", "#").removesuffix("?"))


@patient
@given(_URL)
def test_a_plain_url_is_normalised_as_by_all_steps_of_the_library(url: str) -> None:
    assert normalized_url(url) == library("urls").normalize_url(url)
