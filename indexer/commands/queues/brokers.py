"""The broker of a command: its options, opening it, and checks of queue names."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from difflib import get_close_matches
from pathlib import Path

from pydantic import SecretStr

from indexer.broker import Broker, Depth, open_broker
from indexer.errors import BrokerError, ConfigurationError
from indexer.programs.settings import data_directory
from indexer.system.options import Options, option
from pipeline import PIPELINES


class QueueOptions(Options):
    """Options of every command about queues: where the broker is."""

    broker: SecretStr = option(
        SecretStr(""),
        "sqlite:///FILE or amqp://HOST/; else queues.sqlite3 in the data directory",
        "BROKER_URL",
        "RABBITMQ_URL",
        metavar="URL",
    )
    data: Path = data_directory()


@contextmanager
def opened(options: QueueOptions, *, make: bool = False) -> Iterator[Broker]:
    """Open the broker of the options, and close it at the end.

    `make` creates a missing data directory. Raises ConfigurationError, BrokerError.
    """
    url = options.broker.get_secret_value()
    if not url:
        _ensure(options.data, make=make)
    with closing(open_broker(url or f"sqlite:///{options.data / 'queues.sqlite3'}")) as broker:
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
