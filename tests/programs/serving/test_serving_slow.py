"""Web applications on real sockets: hundreds of half-open connections keep nobody out."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import requests
import uvicorn
from starlette.types import Receive, Scope, Send

from indexer.programs.serving import config
from indexer.programs.serving.limits import ServingLimits
from indexer.system.listening import ListenAddress, listen
from tests.patience import PATIENCE
from tests.programs.serving.conversation import answering, endless


@contextmanager
def serving(limits: ServingLimits, app: Any = answering) -> Iterator[int]:
    """Serve an application at a port."""
    with closing(listen(ListenAddress("127.0.0.1", 0), socket.SOCK_STREAM)) as bound:
        server = uvicorn.Server(config(app, limits))
        thread = threading.Thread(target=server.run, args=([bound],))
        thread.start()
        try:
            yield bound.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def test_half_open_connections_of_one_or_many_addresses_keep_nobody_out() -> None:
    with serving(ServingLimits()) as port, ExitStack() as opened:
        for addresses in (1, 60):
            for number in range(600):
                source = (f"127.0.0.{2 + number % addresses}", 0)
                half = socket.create_connection(("127.0.0.1", port), PATIENCE, source)
                opened.enter_context(half)
                half.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
            for path in ("", "healthz"):
                answer = requests.get(f"http://127.0.0.1:{port}/{path}", timeout=PATIENCE)
                assert answer.text == "ok"


def test_clients_that_never_read_are_cut_off() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await (answering if scope["path"] == "/short" else endless)(scope, receive, send)

    limits = ServingLimits(unread_seconds=0.5, connections=3)
    with serving(limits, app) as port, ExitStack() as opened:
        for _ in range(3):
            deaf = socket.create_connection(("127.0.0.1", port), PATIENCE)
            opened.enter_context(deaf)
            deaf.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        waits = threading.Event()
        while requests.get(f"http://127.0.0.1:{port}/short", timeout=PATIENCE).text != "ok":
            waits.wait(0.05)
