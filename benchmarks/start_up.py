"""CPU seconds of commands, user and system, from start to end: the least of several runs."""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from benchmarks.measuring.rounds import cpu_seconds
from indexer.feeds.store import open_feeds
from indexer.jobs.store import open_jobs
from indexer.system.options import environment

DATA = "DATA"
COMMANDS = (
    *("--help", "--version", "run --help"),
    *("search --help", "search word --data DATA"),
    *("jobs list --help", "jobs list --data DATA"),
    *("feeds list --help", "feeds list --data DATA", "feeds add --help", "feeds try --help"),
    *("warc list --help", "warc list DATA"),
    *("qutil list --help", "qutil list --data DATA"),
    *("pipeline list --help", "pipeline list"),
    *("filesets ingest --help", "filesets list --help", "filesets list --data DATA"),
)
"""What is measured; DATA stands for a data directory without feeds, jobs and stories."""

PROGRAM = (sys.executable, "-m", "indexer.commands.main")


def run(command: str, data: str) -> None:
    """Run a command with a data directory to its end."""
    arguments = [data if word == DATA else word for word in command.split()]
    # Compiled modules are kept, as `pip install` does it.
    variables = {**environment(), "PYTHONDONTWRITEBYTECODE": ""}
    subprocess.run([*PROGRAM, *arguments], env=variables, capture_output=True, check=False)


def seconds(command: str, data: str) -> float:
    """Run a command. Returns its CPU seconds."""
    before = cpu_seconds()
    run(command, data)
    return cpu_seconds() - before


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a line for each command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args(arguments).runs
    with tempfile.TemporaryDirectory() as data:
        open_feeds(f"sqlite:///{data}/feeds.sqlite3").close()
        open_jobs(f"sqlite:///{data}/jobs.sqlite3").close()
        for command in COMMANDS:
            least = min(seconds(command, data) for _ in range(runs))
            print(f"{least:.3f}  {command}", flush=True)


if __name__ == "__main__":
    main()
