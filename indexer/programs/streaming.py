"""Long answers, sent as they are read: bounded memory, however many rows there are."""

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
"""When one may ask again that was one too many."""

T = TypeVar("T")


class Streamed(StreamingResponse):
    """Lets go of the source when it has ended, also because who asked is gone."""

    def __init__(self, parts: Iterator[bytes], media_type: str, close: Callable[[], None]) -> None:
        super().__init__(parts, media_type=media_type)
        self._close = close

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            with CancelScope(shield=True):
                await run_in_threadpool(self._close)


def placed(rows: Iterable[T], places: Semaphore) -> Generator[T, None, None]:
    """The same, at one of the places until they end. Raises HTTPException if none is free."""
    if not places.acquire(blocking=False):
        later = {"Retry-After": str(LATER_SECONDS)}
        raise HTTPException(503, "too many ask at once", later)
    try:
        yield from rows
    finally:
        places.release()


def begun(rows: Iterator[T]) -> Iterator[T]:
    """The same, the first one read: what fails, fails before the answer begins."""
    return chain([*islice(rows, 1)], rows)


def joined(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes, in pieces that are worth sending."""
    chunk = bytearray()
    for part in parts:
        chunk += part
        if len(chunk) >= CHUNK_BYTES:
            yield bytes(chunk)
            chunk.clear()
    yield bytes(chunk)
