"""Bundles in stores, as files in which one can seek: archives are read from their ends."""

import re
import shutil
from collections.abc import Iterator
from sys import maxsize
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast

from fastwarc.warc import ArchiveIterator, WarcRecordType

from indexer.errors import FetchError, FilesetError
from indexer.filesets.bundles.entries import MISMATCH
from indexer.http.redaction.codings import Codings
from indexer.warc.exchanges import MAX_HEAD
from indexer.warc.record import HTTP_END

_OK = re.compile(rb"HTTP/\S+[ \t]+200\b")
_IN_MEMORY = 1 << 22


def seekable(file: BinaryIO) -> BinaryIO:
    """The file, or a temporary copy of one that is a stream, which is closed."""
    if file.seekable():
        return file
    with file:
        return _copy(file)


def captured(warc: BinaryIO) -> BinaryIO:
    """The body of the first answer 200 in a seekable WARC file, see `bodies`.

    Raises FilesetError (`bundle-mismatch`) if there is none.
    """
    for _, body in bodies(warc):
        return body
    raise FilesetError(MISMATCH, "the capture has no answer")


def bodies(warc: BinaryIO) -> Iterator[tuple[str, BinaryIO]]:
    """The URL and the body of each answer 200 in a seekable WARC file, without transfer codings.

    The caller closes the bodies. Raises FilesetError (`bundle-mismatch`) for a damaged file.
    """
    try:
        for record in ArchiveIterator(warc, record_types=WarcRecordType.response, parse_http=False):
            with _copy(cast(BinaryIO, record.reader)) as message:
                head = message.read(MAX_HEAD).partition(HTTP_END)[0]
                if _OK.match(head):
                    message.seek(len(head) + len(HTTP_END))
                    body = _plain(message, is_chunked=Codings.of(head).chunked)
                    yield record.headers.get("WARC-Target-URI") or "", body
    except (FetchError, OSError) as error:
        raise FilesetError(MISMATCH, f"the capture can't be read: {error}") from error


def _plain(message: BinaryIO, *, is_chunked: bool) -> BinaryIO:
    body = _temporary()
    # The hashes of a capture are those of its content coding, which stays.
    for piece in Codings(is_chunked, "").undone(message, maxsize):
        body.write(piece)
    body.seek(0)
    return body


def _copy(file: BinaryIO) -> BinaryIO:
    copy = _temporary()
    shutil.copyfileobj(file, copy)
    copy.seek(0)
    return copy


def _temporary() -> BinaryIO:
    return cast(BinaryIO, SpooledTemporaryFile[bytes](_IN_MEMORY))
