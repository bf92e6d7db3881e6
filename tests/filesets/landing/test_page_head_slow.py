"""Hostile pages: the search for metadata takes time in proportion to their length."""

import pytest

from indexer.filesets.landing.page_head import page_head
from tests.each_row import each_row

pytestmark = pytest.mark.slow


@each_row(
    "text",
    (
        "<script " * 100_000,
        "<script type=application/ld+json>" * 30_000,
        "<code" * 200_000,
        "<code>" * 150_000 + "/access/datafile/",
        "<code>" + "a" * 1_000_000,
        "<meta " * 100_000,
        "<meta name=" + "'" * 1_000_000,
        "<!--" * 200_000,
        '<script type="application/ld+json">' + " " * 1_000_000,
    ),
)
def test_a_hostile_page_is_read_in_linear_time(text: str) -> None:
    # Time in proportion to the square of the length would be hours.
    assert page_head(text.encode()).json_ld == []
