"""A server that sends any bytes that a test wants, also bytes that are no valid HTTP."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

Talk = Callable[[socket.socket], None]
"""The server's part in a connection, after it has read the request."""


class RawServer:
    """Answers each connection on loopback with `talk`; `requests` holds the received requests."""

    def __init__(self, talk: Talk, *, read: bool = True) -> None:
        self.requests: list[bytes] = []
        self._talk = talk
        self._read = read
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._serve, daemon=True).start()

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
            self._talk(connection)

    def close(self) -> None:
        """Accept no more connections."""
        self._socket.shutdown(socket.SHUT_RDWR)
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
