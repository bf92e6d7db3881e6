"""Measures the pipeline from feed to index and archive: 1000 pages of 50 hosts on loopback.

    python -m benchmarks pipeline [--pages 1000] [--hosts 50] [--replicas parser=1] [--json]
    python -m benchmarks pipeline --scaling

Only politeness is turned off. Each program is a separate process, as in any run; CPU time is that
of the operating system for the process and its children. The server of the pages is a separate
process, too, and not counted. The pipeline runs in a directory, then on RabbitMQ, Elasticsearch and
S3, if the variables that `make services` writes are set; the CPU time of servers is not counted.
`--scaling` runs 1, 2 and 4 parsers, in a directory.
"""

import argparse
import json
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.backends import Backends, has_servers, servers
from benchmarks.site import BenchSite
from indexer.commands.running.one_run import Run
from indexer.commands.running.request import RunRequest
from indexer.commands.running.summary import Summary
from indexer.running.tally import Tally
from indexer.system import logs

SETTINGS = {
    "FETCHER_MIN_INTERVAL_SECONDS": "0",
    "FETCHER_ALLOW_ADDRESS": "127.0.0.0/8",
    # Compiled modules are kept, as `pip install` does it.
    "PYTHONDONTWRITEBYTECODE": "",
}
STEPS = ("rss-queuer", "fetcher", "parser", "importer", "archiver")
PARSERS = (1, 2, 4)
FLAVOR = "queue-fetcher"

Figures = Mapping[str, Mapping[str, float]]


def measure(
    pages: int, hosts: int, replicas: Mapping[str, int], backends: Backends
) -> tuple[Summary, Tally]:
    """Run the whole pipeline in an empty directory. Exits if pages are missing."""
    with tempfile.TemporaryDirectory() as directory, BenchSite(pages=pages, hosts=hosts) as site:
        addresses = {"FETCHER_RESOLVE": " ".join(site.addresses)}
        request = RunRequest(
            inputs=site.inputs,
            data=Path(directory),
            broker=backends.broker,
            index=backends.index,
            archives=backends.archives,
            replicas=replicas,
            settings=SETTINGS | addresses | dict(backends.settings),
        )
        run = Run(request, Console(stderr=True))
        summary = run.perform(threading.Event())
    if not summary.accounted or summary.indexed < 0.99 * pages:
        raise SystemExit(f"not all pages were indexed: {summary}")
    return summary, run.tally


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--hosts", type=int, default=50)
    parser.add_argument("--replicas", action="append", default=[], metavar="STEP=N")
    parser.add_argument("--scaling", action="store_true", help="1, 2 and 4 parsers, in a directory")
    parser.add_argument("--embedded", action="store_true", help="not on servers, too")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    logs.set_up("warning")
    replicas = {step: int(n) for step, _, n in (pair.partition("=") for pair in given.replicas)}
    if given.scaling:
        runs = _scaling(given.pages, given.hosts, replicas)
    else:
        runs = _places(given.pages, given.hosts, replicas, given.embedded or not has_servers())
    rows = dict(runs)
    if given.json:
        print(json.dumps(rows, indent=2))
    else:
        for title, figures_of_run in rows.items():
            show(title, figures_of_run)


def _places(
    pages: int, hosts: int, replicas: Mapping[str, int], embedded: bool
) -> Iterator[tuple[str, Figures]]:
    yield "in a directory", figures(*measure(pages, hosts, replicas, Backends()))
    if not embedded:
        with servers(FLAVOR) as backends:
            name = "on RabbitMQ, Elasticsearch and S3"
            yield name, figures(*measure(pages, hosts, replicas, backends))


def _scaling(pages: int, hosts: int, replicas: Mapping[str, int]) -> Iterator[tuple[str, Figures]]:
    for number in PARSERS:
        parsers = {**replicas, "parser": number}
        name = f"{number} parser{'s' if number > 1 else ''}"
        yield name, figures(*measure(pages, hosts, parsers, Backends()))


def figures(summary: Summary, tally: Tally) -> Figures:
    """For each program and for all: stories per CPU-second and second, CPU seconds, peak bytes."""
    used = {step: tally.usage(step) for step in STEPS}
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


def show(title: str, rows: Figures) -> None:
    """Print a table: a row for each program; CPU includes its start and its children."""
    table = Table(box=None, title=title)
    table.add_column("program")
    for heading in ("stories", "CPU s", "stories/CPU s", "stories/s", "peak MB"):
        table.add_column(heading, justify="right")
    for name, row in rows.items():
        table.add_row(name, *(str(value) for value in row.values()))
    Console().print(table)


if __name__ == "__main__":
    main()
