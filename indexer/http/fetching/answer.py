"""Reads an answer of HTTP/1.1: its head, then its body as it is sent (RFC 9112).

    interim answers (1xx) → status line → headers → length, chunks, or all until the connection ends

A reader of our own, not http.client's: a connection may be used again only if both sides agree on
the end of an answer, and records need each byte of it. Line feeds alone, blank lines before the
status, a missing reason, repeated lengths are accepted, but an answer of an unusual form is the
last one of its connection.
"""

import http.client
import re
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from indexer.http.connections.connection import ServerConnection
from indexer.http.fetching.bodies import PIECE
from indexer.http.fetching.headers import Headers

MAX_HEADERS: Final = 1000
"""The most headers of an answer. Some sites send hundreds (feeds.md 12)."""

MAX_INTERIM: Final = 100
"""The most interim answers before the answer itself."""

Tap: TypeAlias = Callable[[bytes], object]
"""Called with the bytes of an answer as they are read."""

_Head: TypeAlias = tuple[int, int, str, list[tuple[str, str]]]
"""The version (1.x), the status, the reason, the headers."""

_MAX_LINE = 65_536
_USUAL_HEAD = re.compile(
    rb"HTTP/1\.([01]) ([2-5][0-9]{2})(?: ([ -~]*+))?\r\n"
    rb"((?:[!#$%&'*+.^_`|~0-9A-Za-z-]++:[\t -~]*+\r\n)*+)\r\n"
)
_STATUS = re.compile(r"HTTP/1\.([0-9])[ \t]+([0-9]{3})(?:[ \t]+(.*))?", re.DOTALL)
_HEADER = re.compile(r"([^\s:]+)([ \t]*):(.*)", re.DOTALL)
_LENGTH = re.compile(r"[0-9]{1,18}")
_CHUNK = re.compile(rb"([0-9a-fA-F]{1,16})[ \t]*(?:;.*)?", re.DOTALL)
_KEEP_ALIVE = re.compile(r"(?:^|[,\s])(timeout|max)\s*=\s*([0-9]{1,6})", re.IGNORECASE)
_SWITCHING = 101
_WITHOUT_BODY = (_SWITCHING, 204, 304)


class Answer:
    """An answer. `length`: the announced bytes of its body, None if none are announced.

    `is_begun`: some of its body was read; `is_whole`: all of it. `is_last`: no other answer may
    follow on its connection.
    """

    def __init__(self, connection: ServerConnection, method: str, tap: Tap | None = None) -> None:
        """Read the head. Raises OSError and HTTPException."""
        self._connection = connection
        self._reader = connection.reader
        self._tap = tap
        self.is_begun = False
        self.is_whole = False
        self.is_last = False
        self.length: int | None = None
        version, self.status, self.reason, headers = self._usual_head() or self._any_head()
        self.headers = Headers(headers)
        self.is_last |= not self._is_kept(version)
        self._pieces = self._body(method, version)

    def pieces(self) -> Iterator[bytes]:
        """The rest of the body, as it is sent but without the framing of chunks.

        Raises OSError and HTTPException, also for a body that ends too early.
        """
        return self._pieces

    def hang_up(self) -> None:
        """End the connection. Another thread may call this while the body is being read."""
        self._connection.hang_up()

    def surplus(self) -> bytes:
        """Bytes that the server has sent after the end of this answer, as far as they are here."""
        return self._connection.unread()

    @property
    def idle_seconds(self) -> float | None:
        """The time for which the server keeps the connection open (Keep-Alive: timeout=5)."""
        given = {name.lower(): float(value) for name, value in self._keep_alive()}
        return 0.0 if given.get("max") == 0 else given.get("timeout")

    def _keep_alive(self) -> list[tuple[str, str]]:
        return _KEEP_ALIVE.findall(self.headers.get("keep-alive", ""))

    def _usual_head(self) -> _Head | None:
        """A head that arrived in one piece and in the form of RFC 9112; None for any other one."""
        found = _USUAL_HEAD.match(self._reader.peek())
        if found is None:
            return None
        version, status, reason, lines = (each.decode("ascii") for each in found.groups(b""))
        fields = [line.partition(":") for line in lines.split("\r\n")[:-1]]
        if len(fields) > MAX_HEADERS:
            return None
        head = self._reader.read(found.end())
        if self._tap:
            self._tap(head)
        headers = [(name, value.strip(" \t")) for name, _, value in fields]
        return int(version), int(status), reason.strip(), headers

    def _any_head(self) -> _Head:
        """A head in the form of an old server, or of a careless one, read line by line."""
        return *self._status_line(), self._headers()

    def _status_line(self) -> tuple[int, int, str]:
        """The version (1.x), status and reason of the answer.

        Interim answers (1xx) are skipped, also unknown ones (RFC 9110, 15.2). 101 is no interim
        answer: another protocol follows it.
        """
        interim = 0
        while line := self._reader.readline(_MAX_LINE):
            text = line.decode("latin-1").rstrip("\r\n")
            found = _STATUS.fullmatch(text)
            if found and (found[2][0] != "1" or int(found[2]) == _SWITCHING):
                if self._tap:
                    self._tap(line)
                return int(found[1]), int(found[2]), (found[3] or "").strip()
            if found:
                interim += 1
                if interim > MAX_INTERIM:
                    raise http.client.HTTPException(f"more than {MAX_INTERIM} interim answers")
                self._skip_headers()
            elif text:
                raise http.client.BadStatusLine(text)
            else:
                self.is_last = True
        raise http.client.RemoteDisconnected("closed without an answer")

    def _skip_headers(self) -> None:
        """Skip the headers of an interim answer, which has no body; they are not recorded."""
        tap, self._tap = self._tap, None
        while self._line():
            pass
        self._tap = tap

    def _line(self) -> bytes:
        """A line without its end. Raises IncompleteRead if the connection ends in it."""
        line = self._reader.readline(_MAX_LINE)
        if self._tap and line:
            self._tap(line)
        if line.endswith(b"\r\n"):
            return line[:-2]
        if line.endswith(b"\n"):
            return line[:-1]
        if len(line) < _MAX_LINE:
            raise http.client.IncompleteRead(line)
        raise http.client.LineTooLong("a line")

    def _headers(self) -> list[tuple[str, str]]:
        headers: list[tuple[str, str]] = []
        while line := self._line().decode("latin-1"):
            if len(headers) == MAX_HEADERS:
                raise http.client.HTTPException(f"more than {MAX_HEADERS} headers")
            found = _HEADER.fullmatch(line)
            if found:
                headers.append((found[1], found[3].strip(" \t\r")))
            elif headers and line[0] in " \t":
                name, value = headers[-1]
                headers[-1] = (name, f"{value} {line.strip()}")
            # A line that is no header is ignored, as in browsers. RFC 9112, 5.1: no space before
            # the colon.
            self.is_last |= not found or bool(found[2])
        return headers

    def _is_kept(self, version: int) -> bool:
        """Whether the server keeps the connection open (RFC 9112, 9.3)."""
        given = ",".join(self.headers.getlist("connection")).lower()
        options = {option.strip() for option in given.split(",")}
        return "close" not in options and (version > 0 or "keep-alive" in options)

    def _body(self, method: str, version: int) -> Iterator[bytes]:
        """The body by the rules of RFC 9112, 6.3."""
        codings = [*self._listed("transfer-encoding")]
        lengths = [*self._listed("content-length")]
        if method == "HEAD" or self.status in _WITHOUT_BODY:
            # Some servers send a body with these statuses.
            self.is_last |= method != "HEAD" and bool(codings or lengths not in ([], ["0"]))
            self.is_last |= self.status == _SWITCHING
            self.is_whole = True
            return iter(())
        if set(codings) - {"chunked", "identity"}:
            raise http.client.HTTPException("a transfer coding that was not asked for")
        if "chunked" in codings:
            # Two of these headers, or a length beside them: somebody may see another end.
            self.is_last |= codings != ["chunked"] or bool(lengths) or version == 0
            return self._chunks()
        self.length = _length(lengths)
        self.is_last |= len(lengths) != 1 or bool(codings) or self.length is None
        return self._rest() if self.length is None else self._counted(self.length)

    def _listed(self, name: str) -> Iterator[str]:
        for value in self.headers.getlist(name):
            yield from filter(None, (part.strip().lower() for part in value.split(",")))

    def _counted(self, size: int) -> Iterator[bytes]:
        yield from self._exactly(size)
        self.is_whole = True

    def _rest(self) -> Iterator[bytes]:
        while piece := self._piece(PIECE):
            yield piece
        self.is_whole = True

    def _chunks(self) -> Iterator[bytes]:
        while size := self._chunk_size():
            yield from self._exactly(size)
            if self._line():
                raise http.client.HTTPException("a chunk is longer than its size")
        try:
            while self._line():  # trailers
                pass
        except http.client.IncompleteRead:
            # A few servers close the connection without the last empty line.
            self.is_last = True
        self.is_whole = True

    def _chunk_size(self) -> int:
        found = _CHUNK.fullmatch(self._line())
        if found is None:
            raise http.client.HTTPException("the size of a chunk is no number")
        return int(found[1], 16)

    def _exactly(self, size: int) -> Iterator[bytes]:
        while size:
            piece = self._piece(min(size, PIECE))
            if not piece:
                raise http.client.IncompleteRead(b"", size)
            size -= len(piece)
            yield piece

    def _piece(self, size: int) -> bytes:
        self.is_begun = True
        piece = self._reader.read1(size)
        if self._tap and piece:
            self._tap(piece)
        return piece


def _length(values: list[str]) -> int | None:
    """The announced length; None for none, or for a senseless one, as in browsers."""
    if len(set(values)) > 1:
        raise http.client.HTTPException("different lengths")
    if values and _LENGTH.fullmatch(values[0]):
        return int(values[0])
    return None
