"""The broker of a command: its options, opening it, the names and depths of its queues."""

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from difflib import get_close_matches
from pathlib import Path

from pydantic import SecretStr
from rich.table import Table

from indexer.broker import Broker, Depth, open_broker
from indexer.commands.console.terminal import cell, line_of_json, print_table
from indexer.errors import BrokerError, ConfigurationError
from indexer.programs.settings import broker_option, broker_or_default, data_directory
from indexer.system.options import Options
from pipeline import PIPELINES

HEADINGS = ("ready", "in hand", "consumers", "bytes")


class QueueOptions(Options):
    """Options of every command about queues: where the broker is."""

    broker: SecretStr = broker_option(
        "sqlite:///FILE or amqp://HOST/; else queues.sqlite3 in the data directory"
    )
    data: Path = data_directory()

    @property
    def url(self) -> str:
        """The broker's URL, with its credentials."""
        return broker_or_default(self.broker, self.data)


@contextmanager
def opened(options: QueueOptions, *, make: bool = False) -> Iterator[Broker]:
    """Open the broker of the options, and close it at the end.

    `make` creates a missing data directory. Raises ConfigurationError, BrokerError.
    """
    if not options.broker.get_secret_value():
        _ensure(options.data, make=make)
    with closing(open_broker(options.url)) as broker:
        yield broker


def _ensure(data: Path, *, make: bool) -> None:
    try:
        if make:
            data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"can't make {data}: {error.strerror or error}") from error
    # SQLite would create the file of a mistyped --data, and show no queues.
    if not data.is_dir():
        raise ConfigurationError(f"{data}: no such directory")


def queue_names(broker: Broker) -> list[str]:
    """Return the names of all queues; if the broker does not tell them, those of all flavors."""
    names = broker.queues()
    if names is not None:
        return names
    known = {queue.name for each in PIPELINES for queue in each.compile().queues}
    return sorted(name for name in known if broker.depth(name) is not None)


def ensure_queue(broker: Broker, name: str) -> Depth:
    """Return how full a queue is. Raises BrokerError, with similar names, if it does not exist."""
    depth = broker.depth(name)
    if depth is None:
        near = get_close_matches(name, queue_names(broker))
        raise BrokerError(f"no queue {name}" + (f": is it {' or '.join(near)}?" if near else ""))
    return depth


def print_depths(broker: Broker, queues: Iterable[str], *, as_json: bool) -> None:
    """Print how full each queue is; a number that the broker does not know is blank, or null."""
    table = Table("queue", box=None)
    for heading in HEADINGS:
        table.add_column(heading, justify="right")
    for queue in queues:
        depth = broker.depth(queue)
        if as_json:
            names = [heading.replace(" ", "_") for heading in HEADINGS]
            values = depth if depth is not None else [None] * len(names)
            print(line_of_json({"queue": queue, **dict(zip(names, values, strict=True))}))
        # A flavor's queue that was never configured.
        counts = depth if depth is not None else ("missing", None, None, None)
        table.add_row(cell(queue), *("" if count is None else str(count) for count in counts))
    if not as_json:
        print_table(table, "no queues")
