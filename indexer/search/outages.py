"""Repeats requests to a search index that fails as a whole, for some minutes."""

from collections.abc import Callable
from typing import TypeVar

from indexer.errors import SearchError
from indexer.system.loggers import get_logger
from indexer.system.patience import Patience

ATTEMPTS = 16
"""With the pauses between them: about five minutes."""

T = TypeVar("T")

log = get_logger()


def ask(patience: Patience, question: Callable[[], T]) -> tuple[T, bool]:
    """Return the index's answer, and whether an attempt before had failed. Raises SearchError."""
    # A program that ended at the first failure would be restarted at once, and soon the messages'
    # delivery limit would be reached: the broker would quarantine them.
    failures: list[SearchError] = []

    def warn(error: SearchError) -> None:
        failures.append(error)
        log.warning("the index failed", why=str(error))

    return patience.retry(question, SearchError, warn=warn), bool(failures)
