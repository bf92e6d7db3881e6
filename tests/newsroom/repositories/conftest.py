"""Imitation repositories for tests."""

from collections.abc import Iterator

import pytest

from newsroom.repositories.server import Repositories


@pytest.fixture(scope="session")
def shared() -> Iterator[Repositories]:
    """One for all tests that switch no faults on and don't read its log."""
    with Repositories() as repositories:
        yield repositories


@pytest.fixture
def own() -> Iterator[Repositories]:
    """One for a test that changes it."""
    with Repositories() as repositories:
        yield repositories
