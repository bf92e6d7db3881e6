"""The evidence of an ingest: each exchange with a landing page or an API, as records of a WARC."""

import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, Final, cast

from indexer.errors import ArchiveError
from indexer.http.redaction import Secrets, redacted
from indexer.system.loggers import get_logger
from indexer.text.dates import utc_now
from indexer.warc.exchanges import WireExchange, write_exchange
from indexer.warc.writer import Writer

IN_MEMORY: Final = 4_000_000

log = get_logger()


class EvidenceRecorder(threading.local):
    """Records the exchanges of the ingest of each thread, without secrets."""

    def __init__(self, secrets: Sequence[str] = (), now: Callable[[], datetime] = utc_now) -> None:
        """`secrets` are the credentials that requests have."""
        self._secrets = Secrets(values=secrets)
        self._now = now
        self._file = SpooledTemporaryFile[bytes](IN_MEMORY)

    @property
    def file(self) -> BinaryIO:
        """The WARC file of the ingest; it is closed when the next one begins."""
        return cast(BinaryIO, self._file)

    def begin(self, name: str) -> None:
        """Begin the evidence of an ingest, of the file `name`."""
        self.close()
        self._file = SpooledTemporaryFile[bytes](IN_MEMORY)
        self._writer = Writer(self.file, clock=self._now)
        self._writer.info(name, {"software": "story-indexer", "format": "WARC File Format 1.0"})

    def record(self, exchange: WireExchange) -> None:
        """Add an exchange; one that can't be recorded safely is left out."""
        try:
            with redacted(exchange, self._secrets) as clean:
                write_exchange(self._writer, clean)
        except ArchiveError as error:
            log.warning("exchange not recorded", url=exchange.url, why=str(error))

    def close(self) -> None:
        """Delete the file of this thread."""
        self._file.close()
