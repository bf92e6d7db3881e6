"""Repeats requests to an Elasticsearch that is busy or whose shards are not started yet."""

from collections.abc import Callable
from typing import TypeVar

from elasticsearch import ApiError

from indexer.system.patience import Patience

BUSY = (429, 502, 503, 504)
"""Statuses of a busy server, and of a proxy before one that restarts."""

T = TypeVar("T")


def ask(patience: Patience, question: Callable[[], T]) -> T:
    """Return the server's answer. Raises ApiError if it stays busy, TransportError."""
    return patience.retry(question, ApiError, lambda error: error.status_code in BUSY)
