"""The log, sent to a central one by UDP: TCP could stall a program (stories.md 2.2).

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
"""Of a line, at most."""

LINES = 200
"""Of a message, at most: of a traceback, say."""

_SEVERITIES = {
    logging.CRITICAL: 2,
    logging.ERROR: 3,
    logging.WARNING: 4,
    logging.INFO: 6,
    logging.DEBUG: 7,
}


def datagram(level: int, head: str, line: str) -> bytes:
    """One line with its priority: facility and severity of a level of `logging`."""
    known = max((each for each in _SEVERITIES if each <= level), default=logging.DEBUG)
    text = f"<{LOCAL0 * 8 + _SEVERITIES[known]}>{head} {line}"
    return text.encode("utf-8", "replace")[:LINE_BYTES]


def head(created: float, app: str, level: str) -> str:
    """What a line begins with: the time in UTC, the host, the program and the level."""
    moment = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(created))
    return f"{moment},{int(created % 1 * 1000):03d} {socket.gethostname()} {app} {level}"


class SyslogHandler(logging.Handler):
    """Sends what is logged, each line of it as one: none can be taken for another program's."""

    def __init__(self, wire: Wire, app: str = "") -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(message)s"))
        self._wire = wire
        self._app = app or Path(sys.argv[0]).stem

    def emit(self, record: logging.LogRecord) -> None:
        """Send one record."""
        try:
            lines = self.format(record).splitlines() or [""]
        except Exception:  # noqa: BLE001 - as all of logging's handlers: no log line ends a program
            self.handleError(record)
            return
        thread = record.threadName
        app = self._app if thread in (None, "MainThread") else f"{self._app}[{thread}]"
        begin = head(record.created, app, record.levelname)
        for line in lines[:LINES]:
            self._wire.send(datagram(record.levelno, begin, line))

    def close(self) -> None:
        """Send what waits for an address, and end."""
        self._wire.close()
        super().close()
