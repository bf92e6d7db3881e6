"""An answer that waits for its client to read it."""

import asyncio

from indexer.programs.serving.limits import CUT, ServingLimits


class UnreadAnswer:
    """Aborts a connection whose client reads less than the limits ask for."""

    def __init__(
        self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop, limits: ServingLimits
    ) -> None:
        """`transport` is to pause its protocol's writing as soon as a byte waits."""
        self._transport = transport
        self._loop = loop
        self._limits = limits
        self._timer: asyncio.TimerHandle | None = None

    def waits(self) -> None:
        """Begin to measure: bytes wait."""
        left = self._transport.get_write_buffer_size()
        self._timer = self._loop.call_later(self._limits.unread_seconds, self._check, left)

    def is_read(self) -> None:
        """End: the client has read all bytes, or the connection is closed."""
        if self._timer:
            self._timer.cancel()
        self._timer = None

    def _check(self, before: int) -> None:
        if before - self._transport.get_write_buffer_size() < self._limits.unread_bytes:
            CUT.add(limit="unread")
            self._transport.abort()
        else:
            self.waits()
