"""Records exchanges as they went over the wire; what is large waits on disk.

with recorded(...) as tape:   the request as it is sent, the answer as it is read → WireExchange
"""

import http.client
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, BinaryIO, Final, TypeAlias, cast

from indexer.errors import StorageError, TooLarge

if TYPE_CHECKING:
    from indexer.warc.exchanges import WireExchange

Record: TypeAlias = Callable[["WireExchange"], None]
"""Called after each exchange of a chain, also a failed one. Its files are closed afterwards."""

IN_MEMORY: Final = 1_000_000
"""The bytes of a message that are kept in memory."""


class Tape:
    """The bytes of one exchange. `is_whole`: the answer was read to its end."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self.request = SpooledTemporaryFile[bytes](IN_MEMORY)
        self.response = SpooledTemporaryFile[bytes](IN_MEMORY)
        self.is_whole = False
        self._now = now
        self.begin("")

    def begin(self, peer: str) -> None:
        """Begin an exchange with an address: what was recorded of a failed attempt is dropped."""
        self.time = self._now()
        self.peer = peer
        for file in (self.request, self.response):
            file.seek(0)
            file.truncate()

    def sent(self, data: bytes) -> None:
        """Record bytes of the request. Raises StorageError."""
        _write(self.request, data)

    def heard(self, data: bytes) -> None:
        """Record bytes of the answer. Raises StorageError."""
        _write(self.response, data)

    def close(self) -> None:
        """Delete the files."""
        self.request.close()
        self.response.close()


@contextmanager
def recorded(
    record: Record | None, url: str, method: str, now: Callable[[], datetime]
) -> Iterator[Tape | None]:
    """A tape for one exchange, and a call of `record` at its end; None without `record`.

    An exchange that failed before anything was sent is not recorded.
    """
    if record is None:
        yield None
        return
    tape = Tape(now)
    try:
        try:
            yield tape
        except BaseException as error:
            if tape.request.tell():
                record(_exchange(tape, url, method, error))
            raise
        record(_exchange(tape, url, method, None))
    finally:
        tape.close()


def _write(file: IO[bytes], data: bytes) -> None:
    try:
        file.write(data)
    except OSError as error:
        # As an OSError it would be taken for one of the connection.
        raise StorageError(f"an exchange can't be recorded: {error}") from error


def _exchange(tape: Tape, url: str, method: str, error: BaseException | None) -> "WireExchange":
    # The library of WARC files, for those who record.
    from indexer.warc.exchanges import Truncation, WireExchange  # noqa: PLC0415

    return WireExchange(
        url=url,
        time=tape.time,
        address=tape.peer,
        method=method,
        request=cast(BinaryIO, tape.request),
        response=cast(BinaryIO, tape.response),
        truncation=None if tape.is_whole else Truncation(_reason(error)),
    )


def _reason(error: BaseException | None) -> str:
    """The reason for which an answer was not read to its end: a value of WARC-Truncated."""
    while error is not None and error.__cause__ is not None:
        error = error.__cause__
    match error:
        case TooLarge():
            return "length"
        case TimeoutError():
            return "time"
        case OSError() | http.client.IncompleteRead():
            return "disconnect"
        case _:
            return "unspecified"
