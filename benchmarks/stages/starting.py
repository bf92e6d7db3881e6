"""Starting a command: what every use of the command line costs before it does anything."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from benchmarks.measuring.corpus import CorpusPage
from benchmarks.measuring.stage import Stage, Unit
from benchmarks.start_up import run
from indexer.jobs.store import open_jobs

COMMANDS = (
    *("--help", "feeds add --help", "filesets ingest --help"),
    *("jobs list --data DATA", "warc list DATA"),
)
AIM = 300
FLOOR = "it imports nothing"


@contextmanager
def stages(pages: Sequence[CorpusPage]) -> Iterator[Sequence[Stage]]:  # noqa: ARG001 - the signature
    """A row for each command, with an empty data directory."""
    with tempfile.TemporaryDirectory() as data:
        open_jobs(f"sqlite:///{data}/jobs.sqlite3").close()
        yield [_stage(command, data) for command in COMMANDS]


def _stage(command: str, data: str) -> Stage:
    def ours() -> int:
        run(command, data)
        return 1

    name = f"start-up, `{command.removesuffix(' --data DATA').removesuffix(' DATA')}`"
    contenders = {"ours": ours, "an empty Python": _empty}
    return Stage(name, Unit.MILLISECONDS, AIM, contenders, {"an empty Python": FLOOR})


def _empty() -> int:
    subprocess.run([sys.executable, "-c", ""], check=True)
    return 1
