"""Measures the pipeline from feed to index and archive: 1000 pages of 50 hosts on loopback.

    python -m benchmarks [--pages 1000] [--hosts 50] [--replicas parser=1] [--json]

Only politeness is turned off. Each program is a separate process, as in any run; CPU time is that
of the operating system for the process and its children. The server of the pages is a separate
process, too, and not counted.
"""

import argparse
import json
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.site import BenchSite
from indexer.commands.running.plan import RunRequest
from indexer.commands.running.run import Run
from indexer.commands.running.summary import Summary
from indexer.running.tally import Tally
from indexer.system import logs

SETTINGS = {
    "FETCHER_MIN_INTERVAL_SECONDS": "0",
    "FETCHER_ALLOW_ADDRESS": "127.0.0.0/8",
}


def measure(pages: int, hosts: int, replicas: dict[str, int]) -> tuple[Summary, Tally]:
    """Run the whole pipeline in an empty directory."""
    with tempfile.TemporaryDirectory() as directory, BenchSite(pages=pages, hosts=hosts) as site:
        request = RunRequest(
            inputs=site.inputs,
            data=Path(directory),
            replicas=replicas,
            settings=SETTINGS | {"FETCHER_RESOLVE": " ".join(site.addresses)},
        )
        run = Run(request, Console(stderr=True))
        return run.perform(threading.Event()), run.tally


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--hosts", type=int, default=50)
    parser.add_argument("--replicas", action="append", default=[], metavar="STEP=N")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    logs.set_up("warning")
    replicas = {step: int(n) for step, _, n in (pair.partition("=") for pair in given.replicas)}
    summary, tally = measure(given.pages, given.hosts, replicas)
    rows = figures(summary, tally)
    if given.json:
        print(json.dumps(rows, indent=2))
    else:
        show(rows)
    if not summary.accounted or summary.indexed < 0.99 * given.pages:
        raise SystemExit(f"not all pages were indexed: {summary}")


def figures(summary: Summary, tally: Tally) -> dict[str, dict[str, float]]:
    """For each program and for all: stories per CPU-second and second, CPU seconds, peak bytes."""
    steps = ["rss-queuer", "fetcher", "parser", "importer", "archiver"]
    used = {step: tally.usage(step) for step in steps}
    rows = {step: _row(summary, u.cpu, u.peak) for step, u in used.items()}
    peak = max(u.peak for u in used.values())
    rows["all"] = _row(summary, sum(u.cpu for u in used.values()), peak)
    return rows


def _row(summary: Summary, cpu: float, peak: int) -> dict[str, float]:
    return {
        "stories": summary.indexed,
        "cpu_seconds": round(cpu, 2),
        "stories_per_cpu_second": round(summary.indexed / cpu, 1) if cpu else 0.0,
        "stories_per_second": round(summary.indexed / summary.seconds, 1),
        "peak_megabytes": round(peak / 1e6),
    }


def show(rows: dict[str, dict[str, float]]) -> None:
    """Print a table."""
    table = Table(box=None, title="1 row a program; CPU includes its start and its children")
    table.add_column("program")
    for heading in ("stories", "CPU s", "stories/CPU s", "stories/s", "peak MB"):
        table.add_column(heading, justify="right")
    for name, row in rows.items():
        table.add_row(name, *(str(value) for value in row.values()))
    Console().print(table)


if __name__ == "__main__":
    main()
