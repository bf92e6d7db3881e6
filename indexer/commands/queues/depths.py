"""The depths of queues, as a table or as JSON."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

from indexer.broker import Broker
from indexer.commands.console.terminal import line_of_json

HEADINGS = ("ready", "in hand", "consumers", "bytes")


def print_depths(broker: Broker, queues: Iterable[str], *, as_json: bool) -> None:
    """Print how full each queue is; a number that the broker does not know is blank, or null."""
    table = Table("queue", box=None)
    for heading in HEADINGS:
        table.add_column(heading, justify="right")
    for queue in queues:
        depth = broker.depth(queue)
        if as_json:
            names = [heading.replace(" ", "_") for heading in HEADINGS]
            counts = depth if depth is not None else [None] * len(names)
            print(line_of_json({"queue": queue, **dict(zip(names, counts, strict=True))}))
        # A flavor's queue that was never configured.
        cells = depth if depth is not None else ("missing", None, None, None)
        table.add_row(queue, *("" if cell is None else str(cell) for cell in cells))
    if not as_json:
        Console(soft_wrap=True).print(table)
