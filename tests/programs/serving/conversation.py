"""Conversations with a server, on a loop whose clock the test moves."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from indexer.programs.serving import config
from indexer.programs.serving.connection import BoundedConnection
from indexer.programs.serving.limits import ServingLimits

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"

OK = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]}


async def answering(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that answers `ok`, and reads no body."""
    await send(OK)
    await send({"type": "http.response.body", "body": b"ok"})


async def reading(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that answers when it has read the body."""
    while (await receive()).get("more_body"):
        pass
    await answering(scope, receive, send)


async def endless(scope: Scope, receive: Receive, send: Send) -> None:
    """An application whose answer ends when the client is gone."""

    async def parts() -> AsyncIterator[bytes]:
        while True:
            # Another task notices that the client is gone.
            await asyncio.sleep(0)
            yield b"x" * 50_000

    await StreamingResponse(parts())(scope, receive, send)


class Loop(asyncio.SelectorEventLoop):
    """An event loop with a clock that only the test moves."""

    now = 0.0

    def time(self) -> float:
        return self.now

    async def rounds(self) -> None:
        """Let everything happen that can."""
        for _ in range(20):
            await asyncio.sleep(0)

    async def wait(self, seconds: float) -> None:
        """Let a time pass at once."""
        self.now += seconds
        await self.rounds()


class Server:
    """A server whose connections the test opens."""

    def __init__(self, loop: Loop, app: Any, limits: ServingLimits) -> None:
        self._config = config(app, limits)
        self._config.load()
        self._limits = limits
        self._state = ServerState()
        self.loop = loop

    async def open(self) -> "Client":
        """A new connection."""
        ours, its = socket.socketpair()

        def connection() -> BoundedConnection:
            return BoundedConnection(self._limits, self._config, self._state, {})

        await self.loop.connect_accepted_socket(connection, ours)
        its.setblocking(False)
        return Client(self.loop, its)


class Client:
    """The other end of a connection."""

    def __init__(self, loop: Loop, its: socket.socket) -> None:
        self._loop = loop
        self._socket = its

    async def send(self, data: bytes) -> None:
        """Send bytes, and let the server see them."""
        self._socket.send(data)
        await self._loop.rounds()

    def read(self, most: int = 1 << 20) -> bytes | None:
        """The bytes that have arrived; None: none, and the connection is still open."""
        try:
            return self._socket.recv(most)
        except BlockingIOError:
            return None
        except ConnectionResetError:
            return b""


def converse(
    scenario: Callable[[Server], Coroutine[Any, Any, None]],
    app: Any = answering,
    limits: ServingLimits | None = None,
) -> None:
    """Run a scenario with a server of an application."""
    loop = Loop()
    try:
        loop.run_until_complete(scenario(Server(loop, app, limits or ServingLimits())))
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(loop.rounds())
        loop.close()
