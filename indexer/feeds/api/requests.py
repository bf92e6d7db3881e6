"""Requests to the API are counted, and timed, by method."""

import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from indexer.metrics import counter, timer

REQUESTS = counter("api.requests", "requests to the API of feeds", "method", "status")
SECONDS = timer("duration", "how long answers of the API of feeds took", "method")

OTHER = "other"
"""What is not a method: files, and what isn't there."""


class Counting:
    """Counts what an application answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 500

        async def counted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        started = time.perf_counter()
        try:
            await self._app(scope, receive, counted)
        finally:
            method = getattr(scope.get("route"), "name", OTHER)
            REQUESTS.add(method=method, status=str(status))
            SECONDS.observe(time.perf_counter() - started, method=method)
