"""Large messages: their memory is bounded, and the search for secrets takes linear time."""

import tempfile
import time
import tracemalloc
from datetime import UTC, datetime

from fastwarc.warc import ArchiveIterator as FastWARC

from indexer.http.redaction import Secrets, redacted
from indexer.http.redaction.redactor import Redactor
from indexer.warc.exchanges import WireExchange, write_exchange
from indexer.warc.writer import Writer
from tests.each_row import each_row
from tests.warc.wire import GET, OK

SECRETS = Secrets(fields=["access_token"], values=['"hunter2hunter2'])
MEGABYTE = 1_000_000


def test_a_body_of_40_megabytes_needs_little_memory() -> None:
    with (
        tempfile.TemporaryFile() as request,
        tempfile.TemporaryFile() as response,
        tempfile.TemporaryFile() as archive,
    ):
        request.write(GET)
        response.write(OK + b"Transfer-Encoding: chunked\r\n\r\n")
        for _ in range(40):
            response.write(b"%x\r\n%b\r\n" % (MEGABYTE, bytes(MEGABYTE)))
        response.write(b'12\r\nhunter2 "hunter2hu\r\n5\r\nnter2\r\n0\r\n\r\n')
        noon = datetime(2026, 11, 22, tzinfo=UTC)
        sent = WireExchange("http://a/", noon, "", "GET", request, response)
        tracemalloc.start()
        with redacted(sent, SECRETS) as clean:
            write_exchange(Writer(archive), clean)
        assert tracemalloc.get_traced_memory()[1] < 8 * MEGABYTE
        tracemalloc.stop()
        archive.seek(0)
        record = next(iter(FastWARC(archive, parse_http=False)))
        assert record.verify_block_digest()
        assert record.reader.read()[-30:] == bytes(14) + b"hunter2 REDACTED"


HOSTILE = (
    b'"access_token":"',
    b'"access_token":{',
    b'\\"access_token\\":\\"\\\\',
    b'form-data; name="access_token"\nX\n',
    b"form-data; name=",
    b"access_token=",
    b"\\",
    b"%25",
    b"&#0",
    b"&#34;hunter2",
)


@each_row("piece", HOSTILE)
def test_the_search_takes_linear_time(piece: bytes) -> None:
    redactor = Redactor(SECRETS)

    def seconds(size: int) -> float:
        body = piece * (size // len(piece))
        start = time.process_time()
        redactor.in_body(body)
        return time.process_time() - start

    # Four times as much for linear time, 16 times for quadratic time.
    assert seconds(400_000) < 10 * seconds(100_000) + 0.1
