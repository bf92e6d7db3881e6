"""A TCP relay to a server of this machine, which can break connections, fall silent or refuse."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Self

PIECE = 65_536


class Relay:
    """Forwards connections to `port` on loopback to a server, both ways."""

    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
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
            ended, self._open = self._open, set()
        for each in ended:
            # Shutting down wakes the threads that read; closing alone does not.
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
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
        for source, sink in ((client, server), (server, client)):
            threading.Thread(target=self._forward, args=(source, sink), daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError), source:
            while data := source.recv(PIECE):
                self._flowing.wait()
                sink.sendall(data)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)


@contextmanager
def silent_server() -> Iterator[int]:
    """The port of a server that accepts connections and never sends a byte."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]
