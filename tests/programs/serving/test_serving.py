"""Web applications: their addresses and their end."""

import os
import signal
import socket
import threading

import pytest

from indexer.errors import ConfigurationError
from indexer.programs.serving import config, is_loopback, serve
from indexer.programs.serving.limits import ServingLimits
from indexer.system.listening import ListenAddress, listen
from indexer.system.signals import stop_on_signals
from tests.each_row import each_row
from tests.logged import capture_logs


@each_row(
    ("host", "only_here"),
    [
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("::1", True),
        ("localhost", True),
        ("10.0.0.7", False),
        ("::", False),
        ("", False),
        ("db.example", False),
        ("localhost.example", False),
    ],
)
def test_who_else_reaches_an_address(host: str, only_here: bool) -> None:
    assert is_loopback(host) is only_here


async def app(scope: object, receive: object, send: object) -> None:
    """An application without responses."""


def test_it_says_where_it_listens_and_ends_by_a_signal() -> None:
    stop = stop_on_signals()
    handler = signal.getsignal(signal.SIGTERM)

    def end() -> None:
        # uvicorn has a signal handler of its own while it runs.
        waited = threading.Event()
        while signal.getsignal(signal.SIGTERM) is handler:
            waited.wait(0.01)
        os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=end)
    thread.start()
    with capture_logs() as logs:
        serve(app, ListenAddress("127.0.0.1", 0), stop)
    thread.join()
    assert stop.is_set()
    assert logs[0]["at"].startswith("127.0.0.1:")


def test_after_a_signal_it_does_not_begin() -> None:
    stop = threading.Event()
    stop.set()
    serve(app, ListenAddress("127.0.0.1", 0), stop)


def test_a_place_that_is_taken_is_an_error() -> None:
    with listen(ListenAddress("127.0.0.1", 0), socket.SOCK_STREAM) as bound:
        port = bound.getsockname()[1]
        with pytest.raises(ConfigurationError, match="can't listen"):
            serve(app, ListenAddress("127.0.0.1", port), threading.Event())


def test_connections_are_kept_as_long_as_is_said() -> None:
    assert config(app, ServingLimits(idle_seconds=500)).timeout_keep_alive == 500
