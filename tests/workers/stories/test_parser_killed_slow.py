"""The parser, while the system kills its extraction: no story is lost or quarantined at once."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from indexer.errors import Retry
from indexer.messages.message import Delivery
from indexer.messages.outcome import OutcomeKind, RetryPolicy, decide
from indexer.stories.story import HTTPMetadata, RawHTML, Story
from tests.patience import PATIENCE
from tests.stories.pages import article
from workers.stories.parser import Parser, ParserOptions

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads /proc")

TICKS = os.sysconf("SC_CLK_TCK")
LONG = f"<p>{article()}</p><table><tr>{'<td>a' * 80_000}</table>".encode()
"""A page that keeps the extractors busy for seconds."""


def story(page: bytes) -> Story:
    http = HTTPMetadata(final_url="https://www.example.com/2026/a-story.html")
    return Story(http_metadata=http, raw_html=RawHTML(html=page))


def children() -> set[int]:
    found = set[int]()
    for task in Path("/proc/self/task").glob("*/children"):
        # A thread of another test may end meanwhile.
        with suppress(OSError):
            found.update(map(int, task.read_text().split()))
    return found


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


@pytest.fixture
def parser_and_child() -> Iterator[tuple[Parser, int]]:
    """A parser, and the process id of its extraction."""
    before = children()
    parser = Parser(ParserOptions())
    yield parser, (children() - before).pop()
    parser.close()


def test_a_story_whose_extraction_is_killed_is_retried_and_then_quarantined(
    parser_and_child: tuple[Parser, int],
) -> None:
    parser, pid = parser_and_child
    before = cpu_seconds(pid)
    with ThreadPoolExecutor(1) as pool:
        ending = pool.submit(parser.process, story(LONG))
        deadline = time.monotonic() + PATIENCE
        while cpu_seconds(pid) < before + 0.2 and time.monotonic() < deadline:
            time.sleep(0.01)
        os.kill(pid, signal.SIGKILL)
        error = ending.exception(PATIENCE)
    assert isinstance(error, Retry)
    assert (error.status, error.why) == ("extract-killed", "SIGKILL")
    for retries, kind in ((0, OutcomeKind.RETRY), (1, OutcomeKind.QUARANTINE)):
        delivery = Delivery(1, b"", headers={"x-mc-retries": retries})
        assert decide(RetryPolicy("parser"), delivery, error).kind is kind
    assert parser.process(story(f"<p>{article()}</p>".encode()))
