"""The observers of outcomes: log and report."""

import json
import logging
import os
from typing import ClassVar

import pytest

from indexer.errors import UnreadInputs
from indexer.loops.observers import RunReport, log_outcomes
from indexer.messages.outcome import Outcome, OutcomeKind


@pytest.mark.parametrize(
    ("outcome", "line", "level"),
    [
        (
            Outcome("fetcher", OutcomeKind.DONE, "success", "http://a/"),
            "success: http://a/",
            "INFO",
        ),
        (
            Outcome("fetcher", OutcomeKind.DISCARD, "http-404", "http://a/", "HTTP 404"),
            "http-404: http://a/ [discard] (HTTP 404)",
            "INFO",
        ),
        (
            Outcome("fetcher", OutcomeKind.QUARANTINE, "bad-message", "", "not a story"),
            "bad-message:  [quarantine] (not a story)",
            "WARNING",
        ),
    ],
)
def test_a_log_line_is_status_and_url(
    outcome: Outcome, line: str, level: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        log_outcomes("fetcher")(outcome)
    assert [(r.getMessage(), r.levelname, r.name) for r in caplog.records] == [
        (line, level, "fetcher")
    ]


class Loop:
    """The messages that a loop holds."""

    taken = 3
    waiting = 2


class Program:
    """A program that has finished two files."""

    made = ("one", "two")


def test_a_report_is_lines_of_json() -> None:
    reader, writer = os.pipe()
    report = RunReport(writer, lambda: pytest.fail("nobody is gone"))
    with report.following(Loop(), Program()):
        report.outcome(Outcome("fetcher", OutcomeKind.DISCARD, "http-404", "http://a/"))
    report.usage()
    os.close(writer)
    with os.fdopen(reader) as lines:
        told = [json.loads(line) for line in lines]
    assert {"step": "fetcher", "kind": "discard", "status": "http-404"} in told
    assert {"taken": 3, "waiting": 2} in told
    assert [line["made"] for line in told if "made" in line] == ["one", "two"]
    assert told[-1]["cpu"] > 0
    assert told[-1]["peak"] > 1_000_000


def test_a_report_names_each_input_that_was_not_read() -> None:
    reader, writer = os.pipe()
    report = RunReport(writer, lambda: pytest.fail("nobody is gone"))
    with pytest.raises(UnreadInputs), report.following(Loop(), Program()):
        raise UnreadInputs(["/a: cut off", "/b: damaged"])
    os.close(writer)
    with os.fdopen(reader) as lines:
        told = [json.loads(line) for line in lines]
    assert [line["unread"] for line in told if "unread" in line] == ["/a: cut off", "/b: damaged"]


class Queuer:
    """A program that has read four inputs."""

    inputs: ClassVar = {"success": 1, "skipped": 3}


def test_a_report_has_the_inputs_and_the_first_reason_of_each_status() -> None:
    reader, writer = os.pipe()
    report = RunReport(writer, lambda: pytest.fail("nobody is gone"))
    with report.following(Loop(), Queuer()):
        for page in ("a", "b"):
            why = f"{page}.example refused (private)"
            report.outcome(Outcome("csv", OutcomeKind.SKIPPED, "bad-host", page, why))
    os.close(writer)
    with os.fdopen(reader) as lines:
        told = [json.loads(line) for line in lines]
    reasons = [line["why"] for line in told if "why" in line]
    assert reasons == ["a: a.example refused (private)"]
    numbers = [(line["inputs"], line["number"]) for line in told if "inputs" in line]
    assert numbers == [("success", 1), ("skipped", 3)]


def test_a_report_that_nobody_reads_stops_the_program() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    gone: list[bool] = []
    RunReport(writer, lambda: gone.append(True)).write(taken=1)
    os.close(writer)
    assert gone == [True]
