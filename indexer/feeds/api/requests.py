"""Counts requests to the API, and times their answers, by method."""

import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from indexer.metrics import counter, timer

REQUESTS = counter("api.requests", "requests to the API of feeds", "method", "status")
SECONDS = timer("duration", "times of answers of the API of feeds", "method")

OTHER = "other"
"""The label for requests to no method: for files, and for unknown paths."""


class Counting:
    """Middleware that counts an application's answers."""

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
            # The router stores the matched route in the scope, which middleware and router share.
            method = getattr(scope.get("route"), "name", OTHER)
            REQUESTS.add(method=method, status=str(status))
            SECONDS.observe(time.perf_counter() - started, method=method)
