"""The log, sent to a central server by UDP: TCP could stall a program (stories.md 2.2).

<PRI>2026-01-15 12:00:00,123 host fetcher[W000] INFO message
"""

import logging
import socket
import sys
import time
from pathlib import Path

from indexer.system.datagrams import Wire

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


class SyslogHandler(logging.Handler):
    """Sends log records. Each line gets a head of its own, so that no record can forge another."""

    def __init__(self, wire: Wire, app: str = "") -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(message)s"))
        self._wire = wire
        self._app = app or Path(sys.argv[0]).stem

    def emit(self, record: logging.LogRecord) -> None:
        """Send one record."""
        try:
            lines = self.format(record).splitlines() or [""]
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
