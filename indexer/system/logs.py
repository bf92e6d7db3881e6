"""Logs: `time | LEVEL | logger | message` on standard error (stories.md 2.2).

The loggers of `indexer.system.loggers` add fields as `name=value`. A central server gets the
lines by UDP, as TCP could stall a program:

    <PRI>2026-01-15 12:00:00,123 host fetcher[W000] INFO message
"""

import logging
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from indexer.errors import ConfigurationError
from indexer.system.datagrams import Datagrams
from indexer.system.escaping import escaped, escaped_line

FORMAT = "%(asctime)s | %(levelname)s | %(name)s | %(message)s"

LEVELS = {
    "critical": logging.CRITICAL,
    "fatal": logging.CRITICAL,
    "error": logging.ERROR,
    "warn": logging.WARNING,
    "warning": logging.WARNING,
    "info": logging.INFO,
    "debug": logging.DEBUG,
    "notset": logging.NOTSET,
}

NOISY = (
    "pika",
    "urllib3",
    "elastic_transport",
    "elasticsearch",
    "botocore",
    "boto3",
    "s3transfer",
    "alembic",
)
"""Libraries whose warnings repeat our own errors, or may contain credentials."""

LOCAL0 = 16
"""The facility (RFC 5424, 6.2.1)."""

LINE_BYTES = 8000
"""Longest line."""

LINES = 200
"""Most lines of a record, such as a traceback."""

_SEVERITIES = {
    logging.CRITICAL: 2,
    logging.ERROR: 3,
    logging.WARNING: 4,
    logging.INFO: 6,
    logging.DEBUG: 7,
}


def set_up(
    level: str,
    loggers: Sequence[str] = (),
    syslog: tuple[str, int] | None = None,
    *,
    app: str = "",
) -> None:
    """Log at `level`; `loggers` are `NAME:LEVEL`. Raises ConfigurationError.

    `syslog` is the host and port of a server that also gets the log, as that of `app`. A server
    that is away costs only its copy.
    """
    # Logs of machines in several time zones can be merged.
    logging.Formatter.converter = time.gmtime
    printed = logging.StreamHandler()
    printed.setFormatter(LineFormatter(FORMAT))
    handlers: list[logging.Handler] = [printed]
    if syslog is not None:
        handlers.append(SyslogHandler(Datagrams(*syslog), app))
    logging.basicConfig(level=level_of(level), handlers=handlers, force=True)
    for name in NOISY:
        logging.getLogger(name).setLevel(max(level_of(level), logging.ERROR))
    for each in loggers:
        name, _, own = each.rpartition(":")
        logging.getLogger(name).setLevel(level_of(own))


def level_of(name: str) -> int:
    """Return the number of a log level. Raises ConfigurationError."""
    try:
        return LEVELS[name.lower()]
    except KeyError:
        raise ConfigurationError(f"no log level {name!r}: use one of {', '.join(LEVELS)}") from None


def datagram(level: int, head: str, line: str) -> bytes:
    """Return a datagram: the priority, from facility and severity, and one line."""
    # A level of its own between two known ones has the severity of the lower one.
    known = max((each for each in _SEVERITIES if each <= level), default=logging.DEBUG)
    text = f"<{LOCAL0 * 8 + _SEVERITIES[known]}>{head} {line}"
    return text.encode("utf-8", "replace")[:LINE_BYTES]


def head(created: float, app: str, level: str) -> str:
    """Return the beginning of a line: the time in UTC, the host, the program and the level."""
    moment = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(created))
    return f"{moment},{int(created % 1 * 1000):03d} {socket.gethostname()} {app} {level}"


class LineFormatter(logging.Formatter):
    """Writes the message of a record in one line, and hidden characters as escapes.

    Only tracebacks have several lines.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        record.message = escaped_line(record.message)
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:
        """Return the lines of a traceback."""
        return escaped(super().formatException(ei))


class SyslogHandler(logging.Handler):
    """Sends log records. Each line gets a head of its own, so that no record can forge another."""

    def __init__(self, wire: Datagrams, app: str = "") -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(message)s"))
        self._wire = wire
        self._app = app or Path(sys.argv[0]).stem

    def emit(self, record: logging.LogRecord) -> None:
        """Send one record."""
        try:
            lines = escaped(self.format(record)).split("\n")
        except Exception:  # noqa: BLE001 - like all handlers of `logging`: no record ends a program
            self.handleError(record)
            return
        thread = record.threadName
        app = self._app if thread in (None, "MainThread") else f"{self._app}[{thread}]"
        begin = head(record.created, app, record.levelname)
        for line in lines[:LINES]:
            self._wire.send(datagram(record.levelno, begin, line))

    def close(self) -> None:
        """Send the datagrams that wait for an address, and close."""
        self._wire.close()
        super().close()
