"""An HTTP message in a file, without its secrets.

head → redacted        body → decoded → secrets found? → redacted, and stored without codings
"""

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from io import SEEK_END, BytesIO
from mmap import ACCESS_READ, mmap
from typing import BinaryIO, NamedTuple

from indexer.errors import ArchiveError, BadResponse, TooLarge
from indexer.http.fetching.encodings import Pieces
from indexer.http.redaction.codings import Codings
from indexer.http.redaction.redactor import Buffer, Redactor, SecretSpan, replaced
from indexer.warc.exchanges import MAX_HEAD, Truncation

MAX_DECODED = 4_000_000_000
"""Bytes of a decoded body, at most."""

_IN_MEMORY = 1 << 20
_END_OF_HEAD = re.compile(rb"\n\r?\n")
_ABOUT_BODY = re.compile(
    rb"(?im)^(?:transfer-encoding|content-encoding|content-length|trailer)[ \t]*:"
    rb"[^\n]*\n(?:[ \t][^\n]*\n)*"
)


class RedactedMessage(NamedTuple):
    """A message without its secrets: its file, the changed parts, and whether it was cut."""

    file: BinaryIO
    changes: Sequence[str] = ()
    truncation: Truncation | None = None


class _Body(NamedTuple):
    """A body to store: a file, the offset of the body in it, and the secrets to replace."""

    file: BinaryIO
    start: int
    spans: Sequence[SecretSpan]
    is_decoded: bool = False
    truncation: Truncation | None = None

    @property
    def changes(self) -> list[str]:
        return ["body"] * bool(self.spans) + ["codings"] * self.is_decoded

    @property
    def length(self) -> int:
        """The bytes that are stored."""
        longer = sum(len(span.by) - (span.end - span.start) for span in self.spans)
        return self.file.seek(0, SEEK_END) - self.start + longer


def redacted_message(
    message: BinaryIO, redactor: Redactor, limit: int, stack: ExitStack, *, is_cut: bool = False
) -> RedactedMessage:
    """The message without its secrets. `stack` closes its file. Raises ArchiveError."""
    head = _head(message)
    clean = b"".join(replaced(memoryview(head), redactor.in_head(head)))
    body = _searched(message, head, redactor, limit, stack, is_cut=is_cut)
    changes = ["head"] * (clean != head) + body.changes
    if not changes:
        return RedactedMessage(message)
    file = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - `stack` closes it
    file.write(_fitting(clean, body.length) if body.changes else clean)
    with _buffer(body.file) as data:
        file.writelines(replaced(memoryview(data), body.spans, body.start))
    return RedactedMessage(file, changes, body.truncation)


def _head(message: BinaryIO) -> bytes:
    message.seek(0)
    data = message.read(MAX_HEAD)
    end = _END_OF_HEAD.search(data)
    if end is None and len(data) == MAX_HEAD:
        raise ArchiveError(f"an HTTP message without the end of its head in {MAX_HEAD} bytes")
    return data[: end.end()] if end else data


def _searched(
    message: BinaryIO,
    head: bytes,
    redactor: Redactor,
    limit: int,
    stack: ExitStack,
    *,
    is_cut: bool,
) -> _Body:
    """The body as it was sent if it has no secrets, and the decoded body otherwise."""
    start = len(head)
    codings = Codings.of(head)
    with _buffer(message) as sent:
        spans = redactor.in_body(sent, start)
        last = max(start, sent.rfind(b"\n0"))
        in_trailers = codings.chunked and redactor.in_head(sent[last : last + MAX_HEAD])
        is_empty = len(sent) == start
    if is_empty or not codings:
        return _Body(message, start, spans)
    message.seek(start)
    plain, truncation = _decoded(codings.undone(message, limit), stack)
    with _buffer(plain) as data:
        found = redactor.in_body(data)
    # A body that is damaged may have secrets behind the damage.
    if found or spans or in_trailers or (truncation and not is_cut):
        return _Body(plain, 0, found, is_decoded=True, truncation=truncation)
    return _Body(message, start, ())


def _decoded(body: Pieces, stack: ExitStack) -> tuple[BinaryIO, Truncation | None]:
    """A file with a decoded body, and the reason if it is not whole."""
    file = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - `stack` closes it
    try:
        file.writelines(body)
    except TooLarge:
        return file, Truncation.LENGTH
    except BadResponse:
        return file, Truncation.UNSPECIFIED
    return file, None


def _fitting(head: bytes, length: int) -> bytes:
    """The head for a body of this length without codings."""
    end = b"\r\n" if b"\r\n" in head else b"\n"
    lines = (_ABOUT_BODY.sub(b"", head).rstrip(), b"Content-Length: %d" % length, b"", b"")
    return end.join(lines)


@contextmanager
def _buffer(file: BinaryIO) -> Iterator[Buffer]:
    """The content of a file, a large one mapped, so that regular expressions search it whole."""
    if file.seek(0, SEEK_END) <= _IN_MEMORY or isinstance(file, BytesIO):
        file.seek(0)
        yield file.read()
        return
    file.flush()
    with mmap(file.fileno(), 0, access=ACCESS_READ) as mapped:
        yield mapped
