"""How full queues are, as a table or as JSON."""

import json
from collections.abc import Iterable, Iterator

from rich.table import Table

from indexer.broker import Broker, Depth

HEADINGS = ("ready", "in hand", "consumers", "bytes")

Row = tuple[str, Depth | None]


def depths(broker: Broker, queues: Iterable[str]) -> Iterator[Row]:
    """Each queue, and how full it is; None if there is no such queue."""
    return ((queue, broker.depth(queue)) for queue in queues)


def table(rows: Iterable[Row]) -> Table:
    """A line a queue; what the broker can't tell is blank."""
    shown = Table("queue", box=None)
    for heading in HEADINGS:
        shown.add_column(heading, justify="right")
    for queue, depth in rows:
        cells = depth if depth is not None else ("missing", None, None, None)
        shown.add_row(queue, *("" if cell is None else str(cell) for cell in cells))
    return shown


def line_of_json(queue: str, depth: Depth | None) -> str:
    """A queue and how full it is; what the broker can't tell is null."""
    names = [heading.replace(" ", "_") for heading in HEADINGS]
    counts = depth if depth is not None else [None] * len(names)
    return json.dumps({"queue": queue, **dict(zip(names, counts, strict=True))})
