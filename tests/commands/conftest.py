"""Queues for the commands that look after them."""

import pytest

from tests.commands.queue_command import Queues


@pytest.fixture
def queues(broker_url: str) -> Queues:
    """The queues of a small pipeline, on a broker of each kind."""
    found = Queues(broker_url)
    found.declare()
    return found
