"""A directory whose answer takes too long."""

import pytest

from indexer.feeds.registry import directory
from indexer.feeds.registry.directory import (
    VERSION,
)
from tests.feeds.registry.test_directory import failure
from tests.http.fetching.raw import drip, serving


def test_a_directory_that_drips_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory, "PAUSES", ())
    with serving(drip(b"HTTP/1.1 200 OK\r\n\r\n", b" ")) as raw:
        error = failure(raw.url, mcweb_timeout=0.3)
    assert error.status == VERSION
    assert "not done in 0.3 s" in str(error) or "silent" in str(error)
