"""Syslog datagrams become lines; no datagram ends the program."""

import logging
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

import pytest

from indexer.metrics import attached
from indexer.operations.log_sink import MAX_LINE, MOST_FAILURES, POLL_SECONDS, LogSink, line
from tests.each_row import each_row
from tests.metrics.sinks import Heard
from tests.patience import PATIENCE

LAST = "the last one"


class Lines:
    """Records lines and signals the last one; fails while it is full."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.full = False
        self.done = threading.Event()

    def write(self, line: str) -> None:
        """Record a line."""
        if line == LAST:
            self.done.set()
        elif self.full:
            raise OSError(28, "No space left on device")
        else:
            self.lines.append(line)


@contextmanager
def sinking(lines: Lines) -> Iterator[Callable[[bytes], None]]:
    """Run a sink; at the end it has received everything that was sent."""
    stop = threading.Event()
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiving,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender,
    ):
        receiving.bind(("127.0.0.1", 0))
        address = receiving.getsockname()
        thread = threading.Thread(target=LogSink(receiving, lines).run, args=(stop,))
        thread.start()
        try:
            yield lambda datagram: (sender.sendto(datagram, address), None)[1]
            sender.sendto(LAST.encode(), address)
            assert lines.done.wait(PATIENCE)
        finally:
            stop.set()
            thread.join()


@each_row(
    ("datagram", "text"),
    [
        (b"<134>12:00:00,250 h fetcher INFO x", "12:00:00,250 h fetcher INFO x"),
        (b"<134>with a NUL\x00", "with a NUL"),
        (b"without a priority\n", "without a priority"),
        (b"<13>\xff\xfe bytes", "\ufffd\ufffd bytes"),
        (b"<14>\xef\xbb\xbfmarked", "marked"),
        (b"<134>one\n<134>forged", "one <134>forged"),
        (b"\x1b[31mred", "[31mred"),
        (b"<9999>odd", "<9999>odd"),
        (b"<134>", ""),
        (b"", ""),
        (b"\x00\n ", ""),
        (b"x" * 60_000, "x" * MAX_LINE),
    ],
)  # fmt: skip
def test_a_datagram_is_one_line_of_text(datagram: bytes, text: str) -> None:
    assert line(datagram) == text


def test_hostile_datagrams_are_replaced_or_ignored_and_the_next_is_written() -> None:
    lines, heard = Lines(), Heard()
    with attached(heard), sinking(lines) as send:
        for datagram in (b"", b"\xff" * 10, b"\x00", b"<134>fine"):
            send(datagram)
    assert lines.lines == ["\ufffd" * 10, "fine"]
    statuses = [labels[0] for name, _, labels in heard.numbers if name == "datagrams"]
    assert statuses == ["empty", "written", "empty", "written", "written"]


def test_waiting_datagrams_are_written_at_the_stop() -> None:
    lines, stop = Lines(), threading.Event()
    stop.set()
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiving,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender,
    ):
        receiving.bind(("127.0.0.1", 0))
        for text in (b"one", b"", b"two"):
            sender.sendto(text, receiving.getsockname())
        LogSink(receiving, lines).run(stop)
    assert lines.lines == ["one", "two"]


class Deaf(socket.socket):
    """A socket that fails a number of times, then stops its receiver."""

    def __init__(self, failures: int, stop: threading.Event) -> None:
        super().__init__(socket.AF_INET, socket.SOCK_DGRAM)
        self.failures = failures
        self.stop = stop

    def recvfrom(self, *_: object) -> NoReturn:
        """Fail, or receive nothing."""
        if not self.failures:
            self.stop.set()
            raise TimeoutError
        self.failures -= 1
        raise OSError(9, "Bad file descriptor")


def test_a_failing_socket_is_logged_once_and_read_again_after_a_pause(
    caplog: pytest.LogCaptureFixture,
) -> None:
    stop, pauses = threading.Event(), list[float]()
    with Deaf(MOST_FAILURES - 1, stop) as receiving:
        LogSink(receiving, Lines(), pauses.append).run(stop)
    assert caplog.messages == ["a datagram was not received: [Errno 9] Bad file descriptor"]
    assert pauses == [POLL_SECONDS] * (MOST_FAILURES - 1)


def test_a_socket_that_fails_for_good_ends_the_program() -> None:
    stop = threading.Event()
    with Deaf(MOST_FAILURES, stop) as receiving, pytest.raises(OSError, match="Bad file"):
        LogSink(receiving, Lines(), lambda _: None).run(stop)


def test_a_full_disk_loses_lines_and_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    lines = Lines()
    lines.full = True
    with caplog.at_level(logging.INFO), sinking(lines) as send:
        send(b"lost")
        send(b"lost too")
    assert caplog.messages == ["lines are lost: [Errno 28] No space left on device"]
