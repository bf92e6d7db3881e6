"""Datagrams of syslog, written to a file as lines."""

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

DATAGRAMS = counter("datagrams", "datagrams of syslog, by what became of them", "status")

MAX_BYTES = 65_535
"""No datagram is larger."""

MAX_LINE = 8_000
"""Characters."""

POLL_SECONDS = 0.25
"""How soon a stop is noticed."""

LAST = 50_000
"""Datagrams that are still written when it is to stop, at most: all that a socket keeps."""

MOST_FAILURES = 40
"""So often in a row, over ten seconds, the socket may fail: then another one is needed."""

_PRIORITY = re.compile(r"^<\d{1,3}>")


class Lines(Protocol):
    """What lines are written to."""

    def write(self, line: str) -> None:
        """Add a line. Raises OSError."""


def line(datagram: bytes) -> str:
    """What a datagram says, on one line, without its priority; blank if it says nothing.

    Bytes that aren't UTF-8 are replaced.
    """
    text = datagram.decode("utf-8", "replace").lstrip("\ufeff")
    return one_line(_PRIORITY.sub("", text), MAX_LINE)


class LogSink:
    """Takes datagrams from a socket until it is told to stop. Dies of none."""

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
        """Until `stop`; what was received then is written.

        Raises OSError if the socket fails for good.
        """
        while not stop.is_set():
            if (datagram := self._receive()) is not None:
                self._take(datagram)
        # No more than may have been waiting: a flood would hold up the end.
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
        """Tell it once, and pause. Raises the error if it was the last of too many in a row."""
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
            self._tell(error)
            DATAGRAMS.add(status="failed")
        else:
            self._failing = False
            DATAGRAMS.add(status="written")

    def _tell(self, error: OSError) -> None:
        """Once, until it works again: a full disk is full for each line."""
        if not self._failing:
            log.error("lines are lost: %s", error)
        self._failing = True
