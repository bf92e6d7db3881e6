"""WARC files, written record by record: warcio formats a record, a gzip member contains it.

Memory holds one record. Clock and record ids are arguments, so that tests get the same bytes again.
"""

import io
import uuid
import zlib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import BinaryIO

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from indexer.errors import ArchiveError
from indexer.text.dates import utc_now
from indexer.warc.record import digest

GZIP_LEVEL = 6
"""Level 9, warcio's, takes 1.7 times the CPU for files 0.5 % smaller (docs/archives.md)."""

WARC_VERSION = "WARC/1.0"
HTTP_RESPONSE = "application/http; msgtype=response"
INFO_FIELDS = "application/warc-fields"


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
        lines = "".join(f"{name}: {_text(value)}\r\n" for name, value in fields.items())
        headers = {"WARC-Filename": filename, "Content-Type": INFO_FIELDS}
        return self._write("warcinfo", headers, lines.encode("ascii"))

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
        fields = [(name, _text(value)) for name, value in http_headers.items()]
        http = StatusAndHeaders(_text(status), fields, protocol="HTTP/1.0")
        headers = {
            "WARC-Target-URI": uri,
            "WARC-Payload-Digest": payload_digest or digest(body),
            "Content-Type": HTTP_RESPONSE,
        }
        return self._write("response", headers, body, date, http)

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
        headers = {
            "WARC-Refers-To": refers_to,
            "WARC-Target-URI": uri,
            "WARC-Payload-Digest": payload_digest or digest(block),
            "Content-Type": content_type,
        }
        return self._write("metadata", headers, block, date)

    def _write(
        self,
        kind: str,
        headers: Mapping[str, str],
        body: bytes,
        date: datetime | None = None,
        http: StatusAndHeaders | None = None,
    ) -> str:
        record_id = self._new_id()
        fields = {
            "WARC-Type": kind,
            "WARC-Record-ID": record_id,
            "WARC-Date": warc_date(date or self._clock()),
            **{name: _text(value) for name, value in headers.items()},
        }
        # warcio's own compression is at level 9, without an option.
        member = _Member(self._file)
        warcio = WARCWriter(member, gzip=False, warc_version=WARC_VERSION)
        warcio.write_record(
            warcio.create_warc_record(
                "",
                kind,
                payload=io.BytesIO(body),
                length=len(body),
                warc_headers_dict=fields,
                http_headers=http,
            )
        )
        self.size += member.close()
        return record_id


def warc_date(moment: datetime) -> str:
    """A time in the format of WARC 1.0: UTC, whole seconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _text(value: str) -> str:
    """The value, if it can be in a header. Raises ArchiveError."""
    # A line break from a page would start a header, or a record, of the page's choice.
    if not (value.isascii() and value.isprintable()):
        raise ArchiveError(f"not allowed in a header: {value[:100]!r}")
    return value


class _Member:
    """A file that writes its content to another file, compressed as one gzip member."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._engine = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, zlib.MAX_WBITS | 16)
        self._size = 0

    def write(self, data: bytes) -> None:
        """Compress data."""
        self._put(self._engine.compress(data))

    def flush(self) -> None:
        """Do nothing: warcio calls it, but only `close` ends the member."""

    def close(self) -> int:
        """End the member. Returns its size in the file."""
        self._put(self._engine.flush())
        return self._size

    def _put(self, data: bytes) -> None:
        self._file.write(data)
        self._size += len(data)
