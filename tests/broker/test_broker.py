"""A URL chooses the broker."""

import pytest

from indexer.broker import open_broker
from indexer.errors import ConfigurationError


@pytest.mark.parametrize("url", ["", "queues.sqlite3", "redis://host", "http://user:secret@host"])
def test_another_url_is_refused_and_not_quoted(url: str) -> None:
    with pytest.raises(ConfigurationError, match="sqlite:///, amqp:// or amqps://") as caught:
        open_broker(url)
    assert "secret" not in str(caught.value)
