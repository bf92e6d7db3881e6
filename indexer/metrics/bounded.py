"""Label values of which there may be any number, such as hosts: the first ones have a name."""

import threading

OTHERS = "other"
"""The value of all that have no name of their own."""


class BoundedLabel:
    """The values of one label. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: set[str] = set()
        self._lock = threading.Lock()

    def of(self, value: str) -> str:
        """The value itself, if it is among the first `most` ones; else OTHERS.

        Each value is a series of its own, which sinks keep until the process ends.
        """
        with self._lock:
            if len(self._known) < self._most:
                self._known.add(value)
            return value if value in self._known else OTHERS
