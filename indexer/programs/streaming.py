"""Long responses, sent while their rows are read: bounded memory for any number of rows."""

from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import chain, islice
from threading import Semaphore
from typing import TypeVar

from anyio import CancelScope
from fastapi import HTTPException
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

CHUNK_BYTES = 64_000

LATER_SECONDS = 5
"""The `Retry-After` of a request that was refused because too many were under way."""

T = TypeVar("T")


class Streamed(StreamingResponse):
    """Closes its source at the end, also if the client has disconnected."""

    def __init__(self, parts: Iterator[bytes], media_type: str, close: Callable[[], None]) -> None:
        super().__init__(parts, media_type=media_type)
        self._close = close

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            # A client that disconnects cancels this task; closing must still be done to its end.
            with CancelScope(shield=True):
                await run_in_threadpool(self._close)


def placed(rows: Iterable[T], places: Semaphore) -> Generator[T, None, None]:
    """The same rows, holding a place until they end. Raises HTTPException if none is free."""
    if not places.acquire(blocking=False):
        later = {"Retry-After": str(LATER_SECONDS)}
        raise HTTPException(503, "too many requests at the same time", later)
    try:
        yield from rows
    finally:
        places.release()


def begun(rows: Iterator[T]) -> Iterator[T]:
    """The same rows, the first already read: a failing query fails before the response begins."""
    return chain([*islice(rows, 1)], rows)


def joined(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in parts of at least CHUNK_BYTES: small writes would be slow."""
    chunk = bytearray()
    for part in parts:
        chunk += part
        if len(chunk) >= CHUNK_BYTES:
            yield bytes(chunk)
            chunk.clear()
    yield bytes(chunk)
