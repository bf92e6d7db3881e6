"""A connection of a client: uvicorn's, with limits of time, bytes and number.

    open → head → body → answer → idle → head → …

uvicorn limits the bytes of a head (16 KiB, by h11) and the time for which a connection is idle
after an answer. All other limits are here.
"""

import asyncio
from enum import Enum
from http import HTTPStatus
from typing import Any

from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from indexer.programs.serving.crowd import may_ask, to_close
from indexer.programs.serving.limits import CUT, ServingLimits
from indexer.programs.serving.unread import UnreadAnswer
from indexer.programs.streaming import LATER_SECONDS
from indexer.system.listening import client_of


class RequestPart(Enum):
    """The part of a request that a connection is receiving."""

    HEAD = "head"
    BODY = "body"


class BoundedConnection(H11Protocol):
    """Ends when its client takes more than the limits allow."""

    def __init__(
        self,
        limits: ServingLimits,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """uvicorn gives all but the limits."""
        super().__init__(config, server_state, app_state, _loop)
        self.app = self._answer
        self.visitor = ""
        self.waiting_since = self.loop.time()
        self._limits = limits
        self._unread: UnreadAnswer | None = None
        self._part: RequestPart | None = None
        self._part_bytes = 0
        self._deadline: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """See `OpenConnection`. An answer that its client still reads is not cut off."""
        return self._is_answered and not self.flow.write_paused

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn
        """Take the place of another connection, if all are taken."""
        super().connection_made(transport)
        # Writing pauses as soon as one byte waits: the answers to most requests are short.
        transport.set_write_buffer_limits(high=0)
        self._unread = UnreadAnswer(transport, self.loop, self._limits)
        self.visitor = client_of(self.client[0]) if self.client else ""
        self._begin(RequestPart.HEAD)
        if replaced := to_close(self, self._others(), self._limits):
            CUT.add(limit="connections")
            replaced.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Limit the time of a part that has begun, and the bytes of a body."""
        super().data_received(data)
        self._follow()
        self._part_bytes += len(data)
        if self._part is RequestPart.BODY and self._part_bytes > self._limits.body_bytes:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self.waiting_since = self.loop.time()
        super().on_response_complete()
        self._follow()

    def pause_writing(self) -> None:
        """Limit the time in which the client reads."""
        super().pause_writing()
        if self._unread:
            self._unread.waits()

    def resume_writing(self) -> None:
        """Write on: the client has read all."""
        if self._unread:
            self._unread.is_read()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """End all limits of time."""
        self._begin(None)
        if self._unread:
            self._unread.is_read()
        super().connection_lost(exc)

    @property
    def _is_answered(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _follow(self) -> None:
        """Find out which part of a request has begun."""
        part = None
        # uvicorn does not notice that a body ends after the answer. Both sides are idle then.
        is_over = self._is_answered and self.conn.our_state is self.conn.their_state
        if self.cycle and self.cycle.more_body and not is_over:
            part = RequestPart.BODY
        elif self._is_answered and self.conn.trailing_data[0]:
            part = RequestPart.HEAD
        if part is not self._part:
            self._begin(part)
        if self.cycle and is_over and not (part or self.timeout_keep_alive_task):
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

    def _begin(self, part: RequestPart | None) -> None:
        if self._deadline:
            self._deadline.cancel()
        self._part, self._part_bytes, self._deadline = part, 0, None
        if part and not self.transport.is_closing():
            limits = self._limits
            seconds = limits.head_seconds if part is RequestPart.HEAD else limits.body_seconds
            self._deadline = self.loop.call_later(seconds, self._refuse, HTTPStatus.REQUEST_TIMEOUT)

    def _refuse(self, status: HTTPStatus) -> None:
        """Close the connection, with an error if no answer has begun."""
        CUT.add(limit=self._part.value if self._part else "")
        is_body = self._part is RequestPart.BODY
        # Load balancers open connections in advance, and expect no answer before their request.
        if not self.cycle.response_started if is_body else self.conn.trailing_data[0]:
            lines = f"HTTP/1.1 {status} {status.phrase}", "Content-Length: 0", "Connection: close"
            self.transport.write("\r\n".join([*lines, "", ""]).encode())
        if is_body:
            # The application may still be at work: its answer must not follow this one.
            self.cycle.disconnected = True
        self.transport.close()

    def _others(self) -> list["BoundedConnection"]:
        opened = [each for each in self.server_state.connections if each is not self]
        # A closed connection is removed from the set only in the loop's next round.
        return [
            each
            for each in opened
            if isinstance(each, BoundedConnection) and not each.transport.is_closing()
        ]

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it: too many are being answered."""
        answer: Any = self.config.loaded_app
        if not may_ask(self, self._others(), scope["path"], self._limits):
            CUT.add(limit="connections")
            later = {"Retry-After": str(LATER_SECONDS), "Connection": "close"}
            answer = JSONResponse({"detail": "too many connections at the same time"}, 503, later)
        await answer(scope, receive, send)
