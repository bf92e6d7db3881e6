"""The report of a program's warnings and errors to the run that started it."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from indexer.errors import ConfigurationError, InputError
from indexer.loops.observers import RunReport
from indexer.text.cleaning import one_line

LENGTH = 1000
"""Characters of a report. An error may quote a page."""

TOLD = ("event", "why", "status", "exception")
"""Fields of a record that are in its text already, or too long for it."""


class LogReport(logging.Handler):
    """Reports the warnings and errors of a program's log.

    Outcomes of messages, which the run counts, are left out: `step` is their logger, and their
    records have no `fields`.
    """

    def __init__(self, report: RunReport, step: str) -> None:
        super().__init__(logging.WARNING)
        self._report = report
        self._step = step

    def emit(self, record: logging.LogRecord) -> None:
        """Report one record. The error that ends a program is reported by `telling`."""
        fields: Mapping[str, Any] | None = getattr(record, "fields", None)
        if fields is None and record.name != self._step:
            fields = {"event": record.getMessage()}
        if fields:
            self._report.write(said=one_line(_text(fields), LENGTH))


def _text(fields: Mapping[str, Any]) -> str:
    text = ": ".join(str(fields[name]) for name in ("event", "why") if fields.get(name))
    # Numbers, such as the seconds until the next attempt, would make each report a new one.
    more = [
        f"{name} {value}"
        for name, value in fields.items()
        if name not in TOLD and isinstance(value, str) and value not in text
    ]
    return f"{text} ({', '.join(more)})" if more else text


@contextmanager
def telling(report: RunReport, step: str) -> Iterator[None]:
    """Report, meanwhile, warnings and errors, and the error that ends the program.

    The log may be on a disk that is full, and nobody watches it.
    """
    handler = LogReport(report, step)
    logging.getLogger().addHandler(handler)
    try:
        yield
    except Exception as error:
        report.write(failed=one_line(_described(error), LENGTH))
        raise
    finally:
        logging.getLogger().removeHandler(handler)


def _described(error: Exception) -> str:
    if isinstance(error, ConfigurationError | InputError | OSError):
        return str(error)
    return f"{type(error).__name__}: {error}"
