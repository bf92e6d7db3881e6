"""Retries with a busy server."""

import pytest
from elasticsearch import ApiError

from indexer.search.elasticsearch import patience as elasticsearch_patience
from indexer.system.patience import ATTEMPTS
from tests.search.stub import Stub, busy


def ask(stub: Stub) -> object:
    """Send a request to a stub; return the answer."""
    client = stub.client().options(max_retries=0)
    return elasticsearch_patience.ask(stub.patience(), lambda: client.count()["count"])


def test_a_busy_server_is_asked_again() -> None:
    stub = Stub(busy(429), busy(503), (200, {"count": 1}))
    assert ask(stub) == 1
    assert stub.pauses == [0.25, 0.5]


def test_a_server_that_stays_busy_is_an_error_after_about_a_minute() -> None:
    stub = Stub(*[busy()] * ATTEMPTS)
    with pytest.raises(ApiError):
        ask(stub)
    assert stub.pauses == [0.25, 0.5, 1, 2, 4, 8, 16, 30]


def test_an_error_that_time_does_not_heal_is_raised_at_once() -> None:
    stub = Stub((400, {"error": "no"}))
    with pytest.raises(ApiError):
        ask(stub)
    assert stub.pauses == []
