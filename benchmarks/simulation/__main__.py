"""Simulate polling, by our schedule and by the existing rule, and print a table.

python -m benchmarks.simulation [--feeds 2000] [--days 30] [--seed 1] [--json]
"""

import argparse
import json
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.simulation.figures import Figures, broken_promises, figures
from benchmarks.simulation.memory import Memory, Progress
from benchmarks.simulation.policies import Existing, Ours, Policy
from benchmarks.simulation.stored import Stored
from benchmarks.simulation.world import build
from indexer.feeds.saving.saving import SaveOptions

STORED, LATE = "story-indexer, on SQLite", ", last third"

ROWS: dict[str, tuple[str, str]] = {
    "requests": ("requests", ",.0f"),
    "stories": ("stories", ",.0f"),
    "mean": ("minutes from publication to discovery, mean", ",.0f"),
    "p50": ("p50", ",.0f"),
    "p95": ("p95", ",.0f"),
    "p99": ("p99", ",.0f"),
    "missed": ("stories missed", ",.0f"),
    "polls": ("polls", ",.0f"),
    "phantoms": ("announced again", ",.0f"),
    "most_a_minute": ("starts in a minute at a host, most", ",.0f"),
    "too_early": ("requests before a Retry-After", ",.0f"),
    "peak": ("starts in the busiest hour / mean", ".2f"),
}

WHOLE = ("polls", "phantoms", "most_a_minute", "too_early", "peak")
"""Figures of all days, which the column of the last third doesn't show."""


def main() -> None:
    """Simulate, print, and end with status 1 if a promise was broken."""
    given = _arguments()
    started = time.monotonic()
    console = Console(stderr=True)
    options = SaveOptions(**({"one_a_day_minutes": given.one_a_day} if given.one_a_day else {}))
    columns: dict[str, Figures] = {}
    policies: list[Policy] = [Existing(given.seed), Ours(options, given.seed)]
    for policy in policies:
        world = build(given.feeds, given.days, given.seed)
        memory = Memory(world, policy, given.seed)
        record = memory.run(_progress(console, policy.name, given.days))
        columns[policy.name] = figures(world, record)
        columns[policy.name + LATE] = figures(world, record, given.days * 2 / 3)
    if given.stored_feeds:
        columns[STORED] = _stored(given, options, console)
    _show(columns, as_json=given.json)
    console.print(f"{time.monotonic() - started:.0f} seconds")
    broken = [
        why
        for name in (Ours.name, STORED)
        if name in columns
        for why in broken_promises(columns[name])
    ]
    if broken:
        raise SystemExit(f"promises broken: {'; '.join(broken)}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser("simulation", description=__doc__.partition("\n")[0])
    parser.add_argument("--feeds", type=int, default=2000)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--one-a-day", type=float, default=None, help="FEEDS_ONE_A_DAY_MINUTES of our schedule"
    )
    parser.add_argument(
        "--stored-feeds",
        type=int,
        default=200,
        help="feeds of the run on a real database; 0: none",
    )
    parser.add_argument("--stored-days", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def _stored(given: argparse.Namespace, options: SaveOptions, console: Console) -> Figures:
    world = build(given.stored_feeds, given.stored_days, given.seed)
    with tempfile.TemporaryDirectory() as directory:
        stored = Stored(world, options, given.seed, Path(directory))
        record = stored.run(_progress(console, STORED, given.stored_days))
    return figures(world, record)


def _progress(console: Console, name: str, days: int) -> Progress:
    def told(day: int, polls: int) -> None:
        if console.is_terminal or day % 5 == 0:
            console.print(f"{name}: day {day} of {days}, {polls:,} polls")

    return told


def _show(columns: dict[str, Figures], *, as_json: bool) -> None:
    if as_json:
        json.dump({name: asdict(column) for name, column in columns.items()}, sys.stdout, indent=2)
        print()
        return
    table = Table()
    table.add_column("")
    for name in columns:
        table.add_column(name, justify="right")
    for field, (label, form) in ROWS.items():
        table.add_row(
            label, *(_cell(name, column, field, form) for name, column in columns.items())
        )
    Console(width=160).print(table)


def _cell(name: str, column: Figures, field: str, form: str) -> str:
    partly = name.endswith(LATE) and field in WHOLE
    return "" if partly else format(getattr(column, field), form)


if __name__ == "__main__":
    main()
