"""The results of following feeds, and logs of programs that run for long."""

import io
from pathlib import Path

from rich.console import Console

from indexer.commands.running.following import SHOWN_FAILING, Followed, show, trim_logs
from indexer.feeds.registry.finding import FailingFeed

REFUSED = FailingFeed(1, "http://127.0.0.1/feed", "bad URL; 127.0.0.1 refused (loopback)")


def test_a_person_reads_why_feeds_failed_and_how_they_are_polled_again() -> None:
    followed = Followed(
        feeds=9,
        fetched=0,
        failures={"bad URL": 9},
        failing=[REFUSED] * (SHOWN_FAILING + 1),
        new_stories=0,
        indexed=0,
        archived=0,
        dropped={},
        left=0,
        warc_files=[],
        seconds=1.0,
    )
    out = io.StringIO()
    show(followed, Console(file=out, width=200), " --data /srv", " --index x.db")
    lines = out.getvalue().splitlines()
    assert lines[1] == "failed 9: bad URL 9"
    assert lines[2] == f"  feed 1: {REFUSED.why}: {REFUSED.url}"
    assert lines.count(lines[2]) == SHOWN_FAILING
    assert lines[2 + SHOWN_FAILING].endswith(" feeds list --failing --data /srv")
    assert any(line.endswith(" search --data /srv --index x.db WORDS") for line in lines)
    assert lines[-2].endswith(" feeds fetch-soon --failing --data /srv")


def test_a_log_that_is_too_large_begins_anew_while_it_is_written(tmp_path: Path) -> None:
    with (tmp_path / "parser.log").open("a") as log:
        log.write("old\n" * 10)
        log.flush()
        trim_logs(tmp_path, 20)
        log.write("new\n")
    assert (tmp_path / "parser.log").read_text() == "new\n"
    assert (tmp_path / "parser.log.1").read_text() == "old\n" * 10


def test_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "parser.log").write_text("a line\n")
    trim_logs(tmp_path, 20)
    assert [path.name for path in tmp_path.iterdir()] == ["parser.log"]
