"""A URL chooses the broker."""

import pytest

from indexer.broker import open_broker
from indexer.errors import ConfigurationError
from tests.each_row import each_row


@each_row("url", ["", "queues.sqlite3", "redis://host", "http://user:secret@host"])
def test_another_url_is_refused_and_not_quoted(url: str) -> None:
    with pytest.raises(ConfigurationError, match="sqlite:///, amqp:// or amqps://") as caught:
        open_broker(url)
    assert "secret" not in str(caught.value)
