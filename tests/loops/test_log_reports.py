"""Warnings and errors of a program reach the run that started it."""

import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from indexer.errors import AccessDenied, ConfigurationError
from indexer.loops.log_reports import LENGTH, telling
from indexer.loops.observers import RunReport
from indexer.system.loggers import get_logger
from tests.each_row import each_row

Told = list[dict[str, str]]


@contextmanager
def reported() -> Iterator[Told]:
    """The reports of what is logged and raised meanwhile, at the end."""
    reader, writer = os.pipe()
    found: Told = []
    with suppress(Exception), telling(RunReport(writer, lambda: None), "archiver"):
        yield found
    os.close(writer)
    with os.fdopen(reader) as lines:
        found.extend(json.loads(line) for line in lines)


def test_warnings_are_reported_and_outcomes_of_messages_are_not() -> None:
    with reported() as told:
        log = get_logger("archiver")
        log.warning("upload failed", why="s3://b/x: 503", again_in=2.0)
        log.warning("an empty feed", input="/in/feed.xml")
        log.info("archive", name="a")
        logging.getLogger("archiver").warning("bad-message: x [quarantine]")
        logging.getLogger("indexer.programs").error("broken\nline")
    assert told == [
        {"said": "upload failed: s3://b/x: 503"},
        {"said": "an empty feed (input /in/feed.xml)"},
        {"said": "broken line"},
    ]


@each_row(
    ("error", "says"),
    [
        (AccessDenied("s3://b: no"), "AccessDenied: s3://b: no"),
        (ConfigurationError("bad option"), "bad option"),
        (OSError(28, "No space left on device"), "[Errno 28] No space left on device"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
        (ValueError("x" * 5000), f"ValueError: {'x' * 5000}"[:LENGTH]),
    ],
)
def test_the_error_that_ends_a_program_is_reported(error: Exception, says: str) -> None:
    with reported() as told:
        raise error
    assert told == [{"failed": says}]


def test_nothing_is_reported_after_the_program() -> None:
    before = list(logging.getLogger().handlers)
    with reported():
        assert len(logging.getLogger().handlers) == len(before) + 1
    assert logging.getLogger().handlers == before
