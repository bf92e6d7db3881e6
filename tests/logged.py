"""The lines that loggers with fields write during a test."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        if fields := getattr(record, "fields", None):
            self.lines.append({**fields, "log_level": record.levelname.lower()})


@contextmanager
def capture_logs() -> Iterator[list[dict[str, Any]]]:
    """Collect the fields of each line that is logged meanwhile, of any level."""
    root, handler = logging.getLogger(), _Lines()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield handler.lines
    finally:
        root.setLevel(before)
        root.removeHandler(handler)
