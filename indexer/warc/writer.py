"""WARC files, written record by record (ISO 28500), each record a gzip member.

Memory holds one record, or a piece of a record that is given as a file. Clock and record ids are
arguments, so that tests get the same bytes again.
"""

import io
import re
import uuid
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import BinaryIO
from urllib.parse import quote

from zlib_ng import zlib_ng

from indexer.errors import ArchiveError
from indexer.text.dates import utc_now
from indexer.warc.record import digest, pieces

GZIP_LEVEL = 5
"""Half the CPU time of zlib's level 6, for archives 0 to 3 % larger (decision 0020)."""

WARC_VERSION = "WARC/1.0"
HTTP_VERSION = "HTTP/1.0"
HTTP_RESPONSE = "application/http; msgtype=response"
INFO_FIELDS = "application/warc-fields"
RECORD_END = b"\r\n\r\n"

# Other WARC readers limit the length of a header line.
MAX_URI_LENGTH = 8000

_PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))
_CUT_ESCAPE = re.compile(r"%[0-9A-Fa-f]?$")


def target_uri(url: str) -> str:
    """A URL for WARC-Target-URI: all but printable ASCII is percent-encoded; a long one is cut."""
    encoded = quote(url.encode("utf-8", "surrogatepass"), safe=_PRINTABLE)
    if len(encoded) <= MAX_URI_LENGTH:
        return encoded
    return _CUT_ESCAPE.sub("", encoded[:MAX_URI_LENGTH])


def new_id() -> str:
    """A unique record id."""
    return f"<{uuid.uuid4().urn}>"


class Writer:
    """Appends records to a file. The caller closes the file."""

    def __init__(
        self,
        file: BinaryIO,
        *,
        clock: Callable[[], datetime] = utc_now,
        new_id: Callable[[], str] = new_id,
    ) -> None:
        self._file = file
        self._clock = clock
        self._new_id = new_id
        self.size = 0
        """Bytes written."""

    def info(self, filename: str, fields: Mapping[str, str]) -> str:
        """Write the `warcinfo` record of a file, its first. Returns its id. Raises ArchiveError."""
        headers = {"WARC-Filename": filename, "Content-Type": INFO_FIELDS}
        return self._write_block("warcinfo", headers, _lines(fields).encode("ascii"))

    def response(
        self,
        uri: str,
        status: str,
        http_headers: Mapping[str, str],
        body: bytes,
        *,
        date: datetime | None = None,
        payload_digest: str = "",
    ) -> str:
        """Write a `response` record: an HTTP/1.0 status line, header and body. Returns its id.

        `payload_digest` is that of the body, if the caller has it. Raises ArchiveError.
        """
        headers = {
            "WARC-Target-URI": uri,
            "WARC-Payload-Digest": payload_digest or digest(body),
            "Content-Type": HTTP_RESPONSE,
        }
        head = f"{HTTP_VERSION} {_text(status)}\r\n{_lines(http_headers)}\r\n".encode("ascii")
        return self._write_block("response", headers, head, body, date=date)

    def metadata(
        self,
        refers_to: str,
        uri: str,
        content_type: str,
        block: bytes,
        *,
        date: datetime | None = None,
        payload_digest: str = "",
    ) -> str:
        """Write a `metadata` record about the record with the id `refers_to`. Returns its id."""
        whole = payload_digest or digest(block)
        headers = {
            "WARC-Refers-To": refers_to,
            "WARC-Target-URI": uri,
            "WARC-Payload-Digest": whole,
            "Content-Type": content_type,
            "WARC-Block-Digest": whole,
        }
        return self._write("metadata", headers, (block,), len(block), date)

    def record(self, kind: str, headers: Mapping[str, str], block: BinaryIO, date: datetime) -> str:
        """Write a record whose block is a whole seekable file. Returns its id.

        `headers` has Content-Type and the digests; the rest is added. Raises ArchiveError.
        """
        length = block.seek(0, io.SEEK_END)
        return self._write(kind, headers, pieces(block), length, date)

    def _write_block(
        self,
        kind: str,
        headers: Mapping[str, str],
        *block: bytes,
        date: datetime | None = None,
    ) -> str:
        """Write a record whose block is in memory, in parts: a large page is not copied."""
        headers = {**headers, "WARC-Block-Digest": digest(*block)}
        return self._write(kind, headers, block, sum(map(len, block)), date)

    def _write(
        self,
        kind: str,
        headers: Mapping[str, str],
        block: Iterable[bytes],
        length: int,
        date: datetime | None,
    ) -> str:
        record_id = self._new_id()
        fields = {
            "WARC-Type": kind,
            "WARC-Record-ID": record_id,
            "WARC-Date": warc_date(date or self._clock()),
            **headers,
            "Content-Length": str(length),
        }
        head = f"{WARC_VERSION}\r\n{_lines(fields)}\r\n".encode("ascii")
        member = zlib_ng.compressobj(GZIP_LEVEL, zlib_ng.DEFLATED, zlib_ng.MAX_WBITS | 16)
        self._put(member.compress(head))
        for piece in block:
            self._put(member.compress(piece))
        self._put(member.compress(RECORD_END) + member.flush())
        return record_id

    def _put(self, data: bytes) -> None:
        self._file.write(data)
        self.size += len(data)


def _lines(fields: Mapping[str, str]) -> str:
    """The lines of a head, one for each field. Raises ArchiveError."""
    return "".join(f"{name}: {_text(value)}\r\n" for name, value in fields.items())


def warc_date(moment: datetime) -> str:
    """A time in the format of WARC 1.0: UTC, whole seconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _text(value: str) -> str:
    """The value, if it can be in a header. Raises ArchiveError."""
    # A line break from a page would start a header, or a record, of the page's choice.
    if not (value.isascii() and value.isprintable()):
        raise ArchiveError(f"not allowed in a header: {value[:100]!r}")
    return value
