"""The progress of an ingest: one line with bytes, rate and time left; now and then when piped."""

from io import StringIO

from rich.console import Console

from indexer.commands.console.terminal import cell
from indexer.commands.filesets.progress import LINE_SECONDS, IngestProgress, line
from indexer.filesets.strategies.strategy import FileProgress
from tests.clock import Clock
from tests.each_row import each_row

HOSTILE = "a\x1b[31m"


@each_row(
    ("progress", "start", "seconds", "text"),
    [
        (FileProgress(1, 2, "a.csv", 0, 2_000), 0, 0.0, "file 1 of 2, a.csv, 0 bytes of 2.0 kB"),
        (
            FileProgress(2, 2, HOSTILE, 3_000_000, 9_000_000),
            1_000_000,
            2.0,
            f"file 2 of 2, {cell(HOSTILE)}, 3.0 MB of 9.0 MB, 1.0 MB/s, 0:00:06 left",
        ),
        (FileProgress(1, 1, "a", 5_000, None), 0, 1.0, "file 1 of 1, a, 5.0 kB, 5.0 kB/s"),
    ],
)
def test_the_line(progress: FileProgress, start: int, seconds: float, text: str) -> None:
    assert line(progress, start, seconds) == text


def test_without_a_terminal_a_line_is_printed_now_and_then(clock: Clock) -> None:
    out = StringIO()
    with IngestProgress(Console(file=out), clock) as progress:
        progress.begin("10.1/a")
        for done in range(100):
            progress.at(FileProgress(1, 1, "a.csv", done, 100))
            clock.sleep(LINE_SECONDS / 10)
    assert 5 < out.getvalue().count("\n") <= 10
    assert "a.csv" in out.getvalue()
