"""Hostile pages."""

import time

from tests.stories.extraction.test_extraction import status
from tests.stories.pages import article


def test_a_million_nested_tags_take_no_time() -> None:
    """A parser that goes as deep as they are nested would take minutes, or fall."""
    started = time.process_time()
    assert status("<html><body>" + "<div>" * 1_000_000 + article()) in ("no-text", "too-short")
    assert time.process_time() - started < 20
