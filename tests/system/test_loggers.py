"""Loggers whose lines are an event and its fields."""

import logging

import pytest

from indexer.system.loggers import get_logger

log = get_logger()


def test_a_line_has_the_name_of_its_module_and_its_fields(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log.warning("no files", directory="/srv")
    get_logger("fetcher").bind(site="a.example").error("away")
    assert [(each.name, each.levelno, each.message) for each in caplog.records] == [
        (__name__, logging.WARNING, "event='no files' directory='/srv'"),
        ("fetcher", logging.ERROR, "event='away' site='a.example'"),
    ]


def test_an_exception_is_a_field_of_its_line(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise ValueError("broken")
    except ValueError:
        log.exception("can't read", feed="feed 7")
    [record] = caplog.records
    assert record.levelno == logging.ERROR
    fields = record.__dict__["fields"]
    assert (fields["event"], fields["feed"]) == ("can't read", "feed 7")
    assert fields["exception"].startswith("Traceback")
    assert fields["exception"].endswith("ValueError: broken")
    assert "\n" not in record.message


def test_a_line_below_the_level_is_not_written(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    log.info("batch", stories=7)
    assert not caplog.records
