"""An action that a thread repeats in the background: to renew leases, to delete old rows."""

import threading
from collections.abc import Callable
from typing import Self

from indexer.errors import StorageError
from indexer.system.loggers import get_logger

log = get_logger()


class Repeating:
    """Calls `action` every so many seconds, until it is closed. A context.

    A StorageError is logged, and the action called again in time.
    """

    def __init__(self, name: str, seconds: float, action: Callable[[], object]) -> None:
        self._seconds = seconds
        self._action = action
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop; wait for a call that is under way."""
        self._closed.set()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        while not self._closed.wait(self._seconds):
            try:
                self._action()
            except StorageError as error:
                log.warning(f"{self._thread.name}: failed", why=str(error))
