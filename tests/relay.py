"""A TCP relay to a server of this machine, which can break connections, fall silent or refuse."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Self

from tests.patience import PATIENCE

PIECE = 65_536


class Relay:
    """Forwards connections to `port` on loopback to a server, both ways."""

    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._flowing = threading.Event()
        self._flowing.set()
        self.away = False
        """Whether new connections are closed at once."""

    def fall_silent(self) -> None:
        """Keep the connections open, but forward nothing more."""
        self._flowing.clear()

    def cut(self) -> None:
        """Break all connections."""
        with self._lock:
            for each in self._open:
                _shut_down(each)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        # As in RawServer: a closed socket's number may belong to another server at once.
        self._thread.join(PATIENCE)
        self._listener.close()
        self._flowing.set()
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self.away:
                    client.close()
                else:
                    self._connect(client)

    def _connect(self, client: socket.socket) -> None:
        try:
            server = socket.create_connection(self._server)
        except OSError:
            client.close()
            return
        with self._lock:
            self._open |= {client, server}
        if self.away:
            self.cut()
        threading.Thread(target=self._relay, args=(client, server), daemon=True).start()

    def _relay(self, client: socket.socket, server: socket.socket) -> None:
        back = threading.Thread(target=self._forward, args=(server, client), daemon=True)
        back.start()
        self._forward(client, server)
        back.join()
        # Only here: until then another thread may use them.
        with self._lock:
            self._open -= {client, server}
            client.close()
            server.close()

    def _forward(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(PIECE):
                self._flowing.wait()
                sink.sendall(data)
        for each in (source, sink):
            _shut_down(each)


def _shut_down(connection: socket.socket) -> None:
    """Wake the threads that read from a connection, which closing it would not."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def silent_server() -> Iterator[int]:
    """The port of a server that accepts connections and never sends a byte."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@contextmanager
def refused_port() -> Iterator[int]:
    """A port that refuses connections: nobody else can listen there meanwhile."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]
