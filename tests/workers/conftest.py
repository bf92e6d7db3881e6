"""Fixtures of the tests of programs."""

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def own_logs() -> Iterator[None]:
    """Logs are set up anew by each program that a test calls; that ends with the test."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
