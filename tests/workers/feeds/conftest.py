"""Fixtures of the tests of the feeds family's programs."""

from tests.feeds.conftest import feeds_db

__all__ = ["feeds_db"]
