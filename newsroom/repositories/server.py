"""The server of the imitation repositories: all hosts at one port, told apart by the Host header.

request → platform of its host → Answer → faults → Range → the wire → log
"""

import contextlib
import os
import socket
import struct
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from newsroom.repositories import storage
from newsroom.repositories.catalogue import Catalogue
from newsroom.repositories.dataset import Dataset
from newsroom.repositories.exchange import HTML, Answer, Asked, Body, answer
from newsroom.repositories.faults import Clock, Fault, Faults
from newsroom.repositories.log import Entry, Log
from newsroom.repositories.platforms import platforms
from newsroom.repositories.platforms.archiveorg import ArchiveOrg, Item
from newsroom.repositories.platforms.wayback import Wayback
from newsroom.repositories.ranges import Part, part_of
from newsroom.repositories.table import datasets
from newsroom.serving import Handler, Server, Serving

_DRIPS_A_SECOND = 10
_PIECE = 1 << 16
_MOST_DRAINED = 1 << 26


class Repositories(Serving):
    """Serves all platforms while its block runs.

    `more` datasets are added to the table; `log` is a file for the requests as JSON lines. Raises
    ValueError for an unknown fault.
    """

    def __init__(
        self,
        port: int = 0,
        *,
        more: Iterable[Dataset] = (),
        faults: Iterable[str] = (),
        log: Path | None = None,
        now: Clock = time.time,
        address: str = "127.0.0.1",
    ) -> None:
        super().__init__(port, address)
        self.catalogue = Catalogue([*datasets(), *more])
        self.faults = Faults([Fault.parse(text) for text in faults], now=now)
        self.log = Log(log)
        self.wayback = Wayback(self.catalogue, self.answer, now)
        self._platforms = {**platforms(self.catalogue), Wayback.name: self.wayback}
        self._hosts = {host: each for each in self._platforms.values() for host in each.hosts}

    def server(self, address: tuple[str, int]) -> Server:
        """A server with these repositories."""
        return _Server(self, address)

    def close(self) -> None:
        super().close()
        self.log.close()

    @property
    def settings(self) -> dict[str, str]:
        """The environment variables by which a product finds the repositories."""
        options = [each.options for each in self._platforms.values()]
        return {
            **{name: value for each in options for name, value in each.items()},
            "FETCHER_ALLOW_ADDRESS": "127.0.0.0/8",
            "FETCHER_RESOLVE": f"*.example=127.0.0.1:{self.port}",
        }

    def landing(self, dataset: Dataset) -> str:
        """The URL of the page of a dataset."""
        return self._platforms[dataset.platform].landing(dataset)

    @property
    def items(self) -> dict[str, Item]:
        """The items that were uploaded to archive.org, by name."""
        found = self._platforms[ArchiveOrg.name]
        return found.items if isinstance(found, ArchiveOrg) else {}

    def answer(self, asked: Asked) -> Answer:
        """The answer to a request, as the faults want it."""
        return self.faults.apply(asked, lambda: self.good_answer(asked))

    def good_answer(self, asked: Asked) -> Answer:
        """The answer to a request without a fault."""
        if asked.host == storage.HOST:
            signed = storage.unsigned(asked)
            return self.good_answer(signed) if signed else storage.denied()
        platform = self._hosts.get(asked.host)
        return platform.answer(asked) if platform else answer("<h1>421</h1>\n", HTML, 421)


class _Server(Server):
    """A server with the repositories."""

    def __init__(self, repositories: Repositories, address: tuple[str, int]) -> None:
        self.repositories = repositories
        super().__init__(address, _Handler)


class _Handler(Handler):
    """Answers the requests of one connection."""

    server: _Server

    def do_GET(self) -> None:
        self._answer()

    do_HEAD = do_POST = do_PUT = do_DELETE = do_GET

    def version_string(self) -> str:
        return "repositories"

    def _answer(self) -> None:
        asked = self._asked()
        found = self.server.repositories.answer(asked)
        self._drain(asked)
        part = part_of(found, asked.headers)
        entry = _entry(asked, found, part)
        log = self.server.repositories.log
        log.begin(entry)
        with contextlib.suppress(OSError):
            self._send(asked, found, part, entry)
        log.end(entry)
        if found.cut is not None:
            self._break(found)

    def _send(self, asked: Asked, found: Answer, part: Part, entry: Entry) -> None:
        """Send an answer. Raises OSError if the client has closed the connection."""
        if found.delay:
            self.server.closing.wait(found.delay)
        if found.cut != -1:
            self._send_head(found, part)
        for piece in self._pieces(found, part) if asked.method != "HEAD" else ():
            entry.sent += len(piece)
            self.wfile.write(piece)
        self.wfile.flush()

    def _asked(self) -> Asked:
        headers = {name.lower(): value for name, value in self.headers.items()}
        host = headers.get("host", "").partition(":")[0].lower()
        size = int(headers.get("content-length") or 0)
        body = Body(self.rfile, size)
        return Asked(self.command, host, self.path, headers, body)

    def _drain(self, asked: Asked) -> None:
        """Read the rest of a body, unless its end is far away or unknown."""
        body = asked.body
        if body.left > _MOST_DRAINED or "transfer-encoding" in asked.headers:
            self.close_connection = True
        # A client that is still sending when the connection closes would not see the answer.
        while body.left <= _MOST_DRAINED and body.read(_PIECE):
            pass

    def _send_head(self, found: Answer, part: Part) -> None:
        self.send_response(part.status)
        headers = {**found.headers, **part.headers}
        # An answer that is cut names its whole length, as a server that fails in the middle does.
        headers.setdefault("Content-Length", str(part.stop - part.start))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _pieces(self, found: Answer, part: Part) -> Iterator[memoryview]:
        stop = part.stop if found.cut is None else min(part.stop, part.start + max(found.cut, 0))
        step = max(found.pace // _DRIPS_A_SECOND, 1) if found.pace else _PIECE
        for block in found.content.parts(part.start, stop):
            for at in range(0, len(block), step):
                yield block[at : at + step]
                if found.pace:
                    self.wfile.flush()
                    if self.server.closing.wait(1 / _DRIPS_A_SECOND):
                        return

    def _break(self, found: Answer) -> None:
        """End the connection in the middle of an answer."""
        self.close_connection = True
        if found.reset:
            # With no time to linger, closing sends a reset; `finish` would send an end before it.
            with contextlib.suppress(OSError):
                linger = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.server.disconnected(self.connection)
                os.close(self.connection.detach())


def _entry(asked: Asked, found: Answer, part: Part) -> Entry:
    status = 0 if found.cut == -1 else part.status
    return Entry(
        asked.method,
        asked.url,
        status,
        start=part.start,
        file=found.file,
        fault=found.fault,
        received=asked.body.size,
    )
