"""A server that sends any bytes that a test wants, also bytes that are no valid HTTP."""

import re
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from tests.patience import PATIENCE

Talk = Callable[[socket.socket], None]
"""The server's part in a connection, after it has read the request."""


class RawServer:
    """Answers each connection on loopback with `talk`; `requests` holds the received requests."""

    def __init__(self, talk: Talk, *, read: bool = True) -> None:
        self.requests: list[bytes] = []
        self._heard = threading.Event()
        self._talk = talk
        self._read = read
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        # The client closes most of these connections early.
        with connection, suppress(OSError):
            if self._read:
                self.requests.append(connection.recv(65_536))
                self._heard.set()
            self._talk(connection)

    @property
    def first_request(self) -> bytes:
        """The first request; it may arrive after its client has given up."""
        assert self._heard.wait(PATIENCE)
        return self.requests[0]

    def close(self) -> None:
        """Accept no more connections."""
        self._socket.shutdown(socket.SHUT_RDWR)
        # A socket that is closed while its thread is about to accept gives its number to the next
        # server of the process, and the thread answers that server's clients.
        self._thread.join(PATIENCE)
        self._socket.close()


@contextmanager
def serving(answer: bytes | Talk, *, read: bool = True) -> Iterator[RawServer]:
    """A server that answers with bytes or a function; without `read` before any request."""
    talk = answer if callable(answer) else lambda sock: sock.sendall(answer)
    server = RawServer(talk, read=read)
    try:
        yield server
    finally:
        server.close()


def drip(start: bytes, each: bytes, seconds: float = 0.01) -> Talk:
    """Sends `start`, then `each` again and again, with pauses, without end."""

    def talk(sock: socket.socket) -> None:
        sock.sendall(start)
        pause = threading.Event()
        while not pause.wait(seconds):
            sock.sendall(each)

    return talk


def flood(start: bytes, each: bytes) -> Talk:
    """Sends `start`, then `each` as fast as it is taken, without end."""

    def talk(sock: socket.socket) -> None:
        sock.sendall(start)
        while True:
            sock.sendall(each)

    return talk


class Conversations:
    """Answers the requests of each connection with the answers of its plan, then closes it.

    A connection without a plan is closed at once.

    `requests` holds the requests of each connection. An answer that is a function gets the socket.
    Serve it with `read=False`.
    """

    def __init__(self, *plans: Sequence[bytes | Talk]) -> None:
        self.requests: list[list[bytes]] = []
        self._plans = iter(plans)

    def __call__(self, sock: socket.socket) -> None:
        heard: list[bytes] = []
        self.requests.append(heard)
        for answer in next(self._plans, ()):
            if not (request := read_request(sock)):
                return
            heard.append(request)
            if callable(answer):
                answer(sock)
            else:
                sock.sendall(answer)

    @property
    def counts(self) -> list[int]:
        """The number of requests of each connection."""
        return [len(each) for each in self.requests]


def read_request(sock: socket.socket) -> bytes:
    """A request with its body; b"" if the client has closed the connection."""
    data = b""
    while (end := _end(data)) is None or len(data) < end:
        if not (more := sock.recv(65_536)):
            return b""
        data += more
    return data


def _end(data: bytes) -> int | None:
    """The length of a request; None if it is not known yet."""
    head, found, body = data.partition(b"\r\n\r\n")
    if not found:
        return None
    if b"transfer-encoding: chunked" in head.lower():
        last = body.find(b"0\r\n\r\n")
        return None if last < 0 else len(head) + 4 + last + 5
    length = re.search(rb"content-length: (\d+)", head.lower())
    return len(head) + 4 + (int(length[1]) if length else 0)


def hung_up(sock: socket.socket) -> None:
    """Close the connection so that the other side sees a reset."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


def closed(sock: socket.socket) -> None:
    """Close the connection."""
    sock.close()
