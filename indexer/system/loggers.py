"""Loggers whose lines are an event and its fields: `event='no files' directory='/srv'`.

    log = get_logger()
    log.warning("no files", directory=path)

They write to the loggers of `logging`. structlog does the same, but its import, with those of rich
and asyncio, takes as long as a fifth of a program's start.
"""

import logging
import sys
import traceback
from typing import Any


class FieldLogger:
    """Logs events with fields, to the logger of `logging` that has its name."""

    def __init__(self, name: str, bound: dict[str, Any] | None = None) -> None:
        self._logger = logging.getLogger(name)
        self._bound = bound or {}

    def bind(self, **fields: Any) -> "FieldLogger":
        """Return a logger whose lines have these fields, too."""
        return FieldLogger(self._logger.name, self._bound | fields)

    def debug(self, event: str, **fields: Any) -> None:
        """Log what helps to find a fault."""
        self._log(logging.DEBUG, event, fields)

    def info(self, event: str, **fields: Any) -> None:
        """Log what is as it should be."""
        self._log(logging.INFO, event, fields)

    def warning(self, event: str, **fields: Any) -> None:
        """Log what an operator should know."""
        self._log(logging.WARNING, event, fields)

    def error(self, event: str, **fields: Any) -> None:
        """Log a failure."""
        self._log(logging.ERROR, event, fields)

    def exception(self, event: str, **fields: Any) -> None:
        """Log a failure with the traceback of the exception that is being handled."""
        self._log(logging.ERROR, event, {**fields, "exception": traceback.format_exc().rstrip()})

    def _log(self, level: int, event: str, fields: dict[str, Any]) -> None:
        if not self._logger.isEnabledFor(level):
            return
        line = {"event": event, **self._bound, **fields}
        text = " ".join(f"{name}={value!r}" for name, value in line.items())
        # Handlers of another form find the fields in the record.
        self._logger.log(level, "%s", text, extra={"fields": line}, stacklevel=3)


def get_logger(name: str = "") -> FieldLogger:
    """Return a logger; without a name, it has that of the module that calls this function."""
    return FieldLogger(name or sys._getframe(1).f_globals["__name__"])
