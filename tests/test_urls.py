"""URLs as they may be shown."""

import pytest

from indexer.urls import without_credentials


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://user:secret@host:9200/mc_search?key=secret", "http://host:9200/mc_search"),
        ("amqp://guest:guest@[::1]:5672/%2f", "amqp://[::1]:5672/%2f"),
        ("sqlite:///data/index.sqlite3", "sqlite:///data/index.sqlite3"),
        ("data/archive", "data/archive"),
    ],
)
def test_credentials_are_never_shown(url: str, shown: str) -> None:
    assert without_credentials(url) == shown
