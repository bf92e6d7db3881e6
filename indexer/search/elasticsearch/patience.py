"""Asking an Elasticsearch that may be too busy to answer, or whose shards are not up yet."""

from collections.abc import Callable
from typing import TypeVar

from elasticsearch import ApiError

from indexer.system.patience import Patience

BUSY = (429, 502, 503, 504)
"""The server could not do it now."""

T = TypeVar("T")


def ask(patience: Patience, question: Callable[[], T]) -> T:
    """The answer, when the server has one. Raises ApiError if it stays busy, TransportError."""
    return patience.retry(question, ApiError, lambda error: error.status_code in BUSY)
