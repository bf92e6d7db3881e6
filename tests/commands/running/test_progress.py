"""What a person sees while a run goes on."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from indexer.broker import Broker, open_broker
from indexer.commands.running.progress import RunProgress
from indexer.messages.message import Send
from indexer.messages.outcome import OutcomeKind
from indexer.running.tally import Tally
from pipeline import flavor

PIPELINE = flavor("csv")


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    opened = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    opened.declare(PIPELINE.compile())
    opened.publish([Send("", "parser-in", b""), Send("", "parser-quar", b"")])
    yield opened
    opened.close()


def shown(broker: Broker, *, terminal: bool) -> str:
    """What is printed of a run that goes on."""
    tally = Tally()
    tally.add("fetcher", OutcomeKind.DONE, "success")
    tally.add("fetcher", OutcomeKind.DISCARD, "http-404")
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=80)
    with RunProgress(PIPELINE, broker, tally, lambda _: 2, console) as progress:
        progress.tick()
        progress.tick()
    return out.getvalue()


def test_without_a_terminal_it_is_a_plain_line_now_and_then(broker: Broker) -> None:
    (line,) = shown(broker, terminal=False).splitlines()
    assert "fetcher 1 (+2), parser 0 (+3)" in line
    assert "quarantined 1" in line
    assert "indexed/s" in line
    assert "[http-404 1]" in line


def test_on_a_terminal_it_is_a_table_with_every_step_by_its_whole_name(broker: Broker) -> None:
    table = shown(broker, terminal=True)
    for step in PIPELINE.steps:
        assert step.name in table
    for heading in ("waiting", "in hand", "done", "per s", "retried", "dropped", "set aside"):
        assert heading in table
    assert "http-404 1" in table
