"""How the commands for an Elasticsearch tell what they do."""

import json

import pytest

from indexer.commands.elastic.elastic import (
    PROGRESS_SECONDS,
    CopyProgress,
    ElasticOptions,
    show,
    show_result,
)
from indexer.errors import ConfigurationError
from indexer.search.elasticsearch.scan import MAX_FAILURES, ScanTally
from tests.clock import Clock


def test_it_says_now_and_then_how_far_it_came(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    progress = CopyProgress(12_000, clock)
    for _ in range(4):
        progress.show(ScanTally(read=3000, done=2999, unchanged=1))
        clock.sleep(PROGRESS_SECONDS / 2)
    assert capsys.readouterr().err == "3,000 of 12,000: 2,999 done, 1 unchanged\n"


def test_all_failures_are_counted_and_the_first_ones_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tally = ScanTally(read=MAX_FAILURES + 5)
    for number in range(MAX_FAILURES + 5):
        tally.fail(str(number), "no\x1b[31m\nreason")
    show_result("x", {}, tally, as_json=False)
    printed = capsys.readouterr()
    assert printed.out == "x: 25 read, 25 failed\n"
    assert printed.err.splitlines() == [rf"{number}: no\u001b[31m reason" for number in range(20)]


def test_json_is_one_line_that_a_terminal_does_not_obey(capsys: pytest.CaptureFixture[str]) -> None:
    show({"why": "é\x9b31m\n\x1b"}, "", as_json=True)
    line = capsys.readouterr().out
    assert "\x9b" not in line
    assert json.loads(line) == {"why": "é\x9b31m\n\x1b"}


def test_a_url_is_needed() -> None:
    with pytest.raises(ConfigurationError, match="INDEX_URL"):
        _ = ElasticOptions().url
