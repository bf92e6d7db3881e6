"""Large exchanges: their memory is bounded."""

import tempfile
import tracemalloc
from dataclasses import replace

from fastwarc.warc import ArchiveIterator as FastWARC

from indexer.warc.exchanges import write_exchange
from indexer.warc.writer import Writer
from tests.warc.wire import OK, exchange

MEGABYTE = 1_000_000


def test_a_body_of_200_megabytes_needs_little_memory() -> None:
    with tempfile.TemporaryFile() as response, tempfile.TemporaryFile() as archive:
        response.write(OK + b"\r\n")
        for _ in range(200):
            response.write(bytes(MEGABYTE))
        tracemalloc.start()
        write_exchange(Writer(archive), replace(exchange(), response=response))
        assert tracemalloc.get_traced_memory()[1] < 4 * MEGABYTE
        tracemalloc.stop()
        archive.seek(0)
        record = next(iter(FastWARC(archive, parse_http=False)))
        assert record.content_length == 200 * MEGABYTE + len(OK) + 2
        assert record.verify_block_digest()
