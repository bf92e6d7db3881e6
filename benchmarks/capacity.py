"""Computes what a number of stories a day needs, from the measured cost of one story.

    python -m benchmarks capacity [--pages 2000] [--write PAGE]

The pipeline runs in a directory with few pages and with many: the difference of the two is the cost
of the stories, without that of starting the programs. PAGE is docs/performance.md.
"""

import argparse
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks.backends import Backends
from benchmarks.measuring.table import replace_table
from benchmarks.pipeline import STEPS, figures, measure
from benchmarks.site import build
from indexer.system import logs

DAILY = (1_000_000, 100_000_000)
SECONDS = 86_400
BUSY = 0.6
"""The share of a core that a program is planned to use: the rest is for peaks and repairs."""

HOPS = len(STEPS) - 1
"""The queues that a story passes."""

HEADINGS = ("", *(f"{number:,} stories a day" for number in DAILY))


class Need(NamedTuple):
    """What a number of stories a day needs."""

    cores: Mapping[str, float]
    stories: float
    messages: float
    page_bytes: float

    @property
    def bottleneck(self) -> str:
        """The program that needs most cores."""
        return max(self.cores, key=self.cores.__getitem__)


def need(daily: int, costs: Mapping[str, float], page_bytes: float) -> Need:
    """What a number of stories a day needs; `costs` are CPU-seconds a story by program."""
    rate = daily / SECONDS
    cores = {step: rate * cost / BUSY for step, cost in costs.items()}
    return Need(cores, rate, rate * HOPS, rate * page_bytes)


def story_costs(few: int, many: int, hosts: int) -> dict[str, float]:
    """CPU-seconds a story by program, without its start."""
    small, large = (figures(*measure(pages, hosts, {}, Backends())) for pages in (few, many))
    return {
        step: max(0.0, large[step]["cpu_seconds"] - small[step]["cpu_seconds"]) / (many - few)
        for step in STEPS
    }


def rows(needs: Sequence[Need], costs: Mapping[str, float]) -> list[list[str]]:
    """The rows of the table."""
    programs = [
        [
            f"{step}, {costs[step] * 1000:.2f} CPU ms a story",
            *(_cores(each.cores[step]) for each in needs),
        ]
        for step in STEPS
    ]
    return [
        *programs,
        ["all programs", *(_cores(sum(each.cores.values())) for each in needs)],
        ["stories a second", *(f"{each.stories:,.0f}" for each in needs)],
        ["messages a second through the queues", *(f"{each.messages:,.0f}" for each in needs)],
        ["pages fetched, MB a second", *(f"{each.page_bytes / 1e6:,.1f}" for each in needs)],
        ["most cores", *(each.bottleneck for each in needs)],
    ]


def _cores(number: float) -> str:
    return f"{number:.2f} cores" if number < 1 else f"{math.ceil(number)} cores"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, compute, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--hosts", type=int, default=50)
    parser.add_argument(
        "--write", type=Path, metavar="PAGE", help="a page with a table of capacity"
    )
    given = parser.parse_args(arguments)
    logs.set_up("warning")
    costs = story_costs(given.pages // 5, given.pages, given.hosts)
    replies = build(given.hosts, given.hosts).replies
    size = sum(len(reply.body) for reply in replies.values()) / len(replies)
    found = rows([need(daily, costs, size) for daily in DAILY], costs)
    if given.write:
        replace_table(given.write, "capacity", HEADINGS, found)
    table = Table(*HEADINGS, box=None)
    for row in found:
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main()
