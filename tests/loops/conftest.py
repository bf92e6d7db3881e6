"""Fixtures for the tests of loops."""

import pytest


@pytest.fixture(autouse=True)
def quick_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop waits for the end of its queue at least once: in tests, for a moment."""
    monkeypatch.setattr("indexer.loops.inbox.POLL_SECONDS", 0.01)
