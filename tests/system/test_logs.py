"""The log on standard error and by UDP."""

import logging
import socket

import pytest

from indexer.errors import ConfigurationError
from indexer.system.loggers import get_logger
from indexer.system.logs import LINE_BYTES, LINES, SyslogHandler, datagram, head, level_of, set_up
from tests.each_row import each_row
from tests.metrics.sinks import Wire


class Unprintable:
    """What a library may want to log."""

    def __str__(self) -> str:
        raise RuntimeError


def logged(wire: Wire, message: str, level: int = logging.INFO, thread: str = "MainThread") -> None:
    """Have one message handled."""
    record = logging.LogRecord("fetcher", level, __file__, 1, message, (), None)
    record.created = 1768478400.25
    record.threadName = thread
    SyslogHandler(wire, "fetcher").handle(record)


def test_a_message_on_standard_error_is_one_line_without_hidden_characters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    set_up("info")
    logging.info("%s", "real\r\n2026 | INFO | forged\x1b[2J\u202e")
    get_logger().info("real", title="\n\u2028")
    try:
        raise ValueError("\u202e\x1b")
    except ValueError:
        logging.exception("failed")
    first, second, third, *traceback = capsys.readouterr().err.splitlines()
    assert first.endswith(r" | INFO | root | real\u000d\n2026 | INFO | forged\u001b[2J\u202e")
    assert second.endswith(r"event='real' title='\n\u2028'")
    assert third.endswith(" | ERROR | root | failed")
    assert traceback[-1] == r"ValueError: \u202e\u001b"


def test_a_line_says_when_where_who_and_how_bad() -> None:
    wire = Wire()
    logged(wire, "success: https://example.org/1")
    host = socket.gethostname()
    assert wire.lines == [
        f"<134>2026-01-15 12:00:00,250 {host} fetcher INFO success: https://example.org/1"
    ]


def test_a_thread_other_than_the_main_one_is_named() -> None:
    wire = Wire()
    logged(wire, "x", thread="fetcher_3")
    assert " fetcher[fetcher_3] INFO x" in wire.lines[0]


@each_row(
    ("level", "priority"),
    [
        (logging.CRITICAL, 130),
        (logging.ERROR, 131),
        (logging.WARNING, 132),
        (logging.INFO, 134),
        (logging.DEBUG, 135),
        (logging.ERROR + 5, 131),
        (1, 135),
    ],
)
def test_the_priority_is_of_local0_and_the_level(level: int, priority: int) -> None:
    assert datagram(level, "head", "line") == f"<{priority}>head line".encode()


def test_each_line_of_a_message_is_one_so_that_none_can_be_forged() -> None:
    wire = Wire()
    logged(wire, "real\n2026-01-15 12:00:00,000 host parser ERROR forged\r\nmore")
    begin = head(1768478400.25, "fetcher", "INFO")
    assert [line.startswith(f"<134>{begin} ") for line in wire.lines] == [True] * 3


def test_long_lines_and_many_lines_are_cut() -> None:
    wire = Wire()
    logged(wire, "ü" * 20_000 + "\n" * 1000)
    assert len(wire.datagrams) == LINES
    assert max(map(len, wire.datagrams)) == LINE_BYTES


def test_text_that_is_none_is_sent_as_well_as_it_can_be() -> None:
    wire = Wire()
    logged(wire, "\ud800")
    assert wire.datagrams[0].endswith(rb" INFO \ud800")


@pytest.mark.parametrize(
    ("message", "values"), [("%(b)s", ({"a": 1},)), ("%s", (1, 2)), ("%s", (Unprintable(),))]
)
def test_a_line_that_can_not_be_made_ends_nothing(
    message: str, values: tuple[object, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    wire = Wire()
    record = logging.LogRecord("fetcher", logging.INFO, __file__, 1, message, values, None)
    SyslogHandler(wire, "fetcher").handle(record)
    assert wire.datagrams == []
    assert "Logging error" in capsys.readouterr().err


def test_closing_closes_the_wire() -> None:
    wire = Wire()
    SyslogHandler(wire).close()
    assert wire.closed


def test_an_unknown_level_is_refused() -> None:
    assert level_of("WARN") == logging.WARNING
    with pytest.raises(ConfigurationError, match="no log level 'loud'"):
        level_of("loud")
