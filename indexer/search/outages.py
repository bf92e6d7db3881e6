"""An index that fails as a whole is asked again for some minutes."""

from collections.abc import Callable
from typing import TypeVar

import structlog

from indexer.errors import SearchError
from indexer.system.patience import Patience

ATTEMPTS = 16
"""How often it is asked: for about five minutes."""

T = TypeVar("T")

log = structlog.get_logger()


def ask(patience: Patience, question: Callable[[], T]) -> tuple[T, bool]:
    """An index's answer, and whether it was asked more than once. Raises SearchError.

    A program that ended at the first failure would be started again at once, and soon the broker
    would take its messages for the cause.
    """
    failures: list[SearchError] = []

    def warn(error: SearchError) -> None:
        failures.append(error)
        log.warning("the index failed", why=str(error))

    return patience.retry(question, SearchError, warn=warn), bool(failures)
