"""Writes syslog datagrams as lines to a file."""

import logging
import re
import socket
import threading
import time
from collections.abc import Callable
from itertools import islice
from typing import Protocol

from indexer.metrics import counter
from indexer.text.cleaning import one_line

log = logging.getLogger(__name__)

DATAGRAMS = counter("datagrams", "syslog datagrams, by result", "status")

MAX_BYTES = 65_535
"""The maximal size of a datagram."""

MAX_LINE = 8_000
"""Characters."""

POLL_SECONDS = 0.25
"""The longest delay of a stop."""

LAST = 50_000
"""The maximal number of datagrams written after a stop: more than a socket's buffer holds."""

MOST_FAILURES = 40
"""Failures of the socket in a row, over ten seconds, that end the program: its restart opens a new
socket."""

_PRIORITY = re.compile(r"^<\d{1,3}>")


class Lines(Protocol):
    """The destination of lines."""

    def write(self, line: str) -> None:
        """Append a line. Raises OSError."""


def line(datagram: bytes) -> str:
    """Return the text of a datagram without its priority, on one line; replace invalid bytes."""
    text = datagram.decode("utf-8", "replace").lstrip("\ufeff")
    return one_line(_PRIORITY.sub("", text), MAX_LINE)


class LogSink:
    """Receives datagrams from a socket; no content of a datagram is an error."""

    def __init__(
        self,
        receiving: socket.socket,
        lines: Lines,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        self._receiving = receiving
        self._lines = lines
        self._pause = pause
        self._failing = False
        self._failures = 0
        receiving.settimeout(POLL_SECONDS)

    def run(self, stop: threading.Event) -> None:
        """Receive until `stop`, then write the datagrams that have arrived before it.

        Raises OSError if the socket keeps failing.
        """
        while not stop.is_set():
            if (datagram := self._receive()) is not None:
                self._take(datagram)
        # The limit is needed because a flood of datagrams would delay the end for ever.
        self._receiving.setblocking(False)
        for datagram in islice(iter(self._receive, None), LAST):
            self._take(datagram)

    def _receive(self) -> bytes | None:
        datagram = None
        try:
            datagram = self._receiving.recvfrom(MAX_BYTES)[0]
        except (TimeoutError, BlockingIOError):
            pass
        except OSError as error:
            self._failed(error)
            return None
        self._failures = 0
        return datagram

    def _failed(self, error: OSError) -> None:
        """Log the first failure and pause. Raises the error after MOST_FAILURES in a row."""
        self._failures += 1
        if self._failures == MOST_FAILURES:
            raise error
        if self._failures == 1:
            log.warning("a datagram was not received: %s", error)
        self._pause(POLL_SECONDS)

    def _take(self, datagram: bytes) -> None:
        if not (text := line(datagram)):
            DATAGRAMS.add(status="empty")
            return
        try:
            self._lines.write(text)
        except OSError as error:
            self._log_once(error)
            DATAGRAMS.add(status="failed")
        else:
            self._failing = False
            DATAGRAMS.add(status="written")

    def _log_once(self, error: OSError) -> None:
        # A full disk fails for each line: log it once until writing works again.
        if not self._failing:
            log.error("lines are lost: %s", error)
        self._failing = True
