"""Loggers that import their library with the first line."""

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
