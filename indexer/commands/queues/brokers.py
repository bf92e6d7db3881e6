"""The broker of a command: where `--broker`, `--data` and the environment say that it is."""

from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import typer

from indexer.broker import Broker, Depth, open_broker
from indexer.errors import BrokerError, ConfigurationError
from indexer.programs.settings import AppOptions, BrokerOptions
from indexer.system.options import environment
from pipeline import PIPELINES

BrokerURL = Annotated[
    str,
    typer.Option(
        "--broker",
        help="sqlite:///FILE or amqp://HOST/; else BROKER_URL, RABBITMQ_URL, or the data directory",
        metavar="URL",
        show_default=False,
    ),
]
Data = Annotated[
    str, typer.Option("--data", help="Directory of all that is kept; else DATAROOT, or data.")
]


class CommandBrokerOptions(BrokerOptions, AppOptions):
    """Options of a command about a broker."""


class OpenedBroker:
    """The broker of the options, closed at the end.

    A data directory that isn't there is made if asked for, else a ConfigurationError.
    """

    def __init__(self, url: str, data: str, *, make: bool = False) -> None:
        self._make = make
        given = {"BROKER_URL": url, "DATAROOT": data}
        asked = {name: value for name, value in given.items() if value}
        self.options = CommandBrokerOptions.of({**environment(), **asked})

    def __enter__(self) -> Broker:
        if not self.options.broker_url.get_secret_value():
            _ensure(self.options.data, make=self._make)
        self._broker = open_broker(self.options.broker)
        return self._broker

    def __exit__(self, *_: object) -> None:
        self._broker.close()


def _ensure(data: Path, *, make: bool) -> None:
    try:
        if make:
            data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"can't make {data}: {error.strerror or error}") from error
    if not data.is_dir():
        raise ConfigurationError(f"{data}: no such directory")


def queue_names(broker: Broker) -> list[str]:
    """All queues; where the broker can't tell, those of the flavors that are there."""
    names = broker.queues()
    if names is not None:
        return names
    known = {queue.name for each in PIPELINES for queue in each.compile().queues}
    return sorted(name for name in known if broker.depth(name) is not None)


def ensure_queue(broker: Broker, name: str) -> Depth:
    """How full a queue is. Raises BrokerError if there is none, with the names most like it."""
    depth = broker.depth(name)
    if depth is None:
        near = get_close_matches(name, queue_names(broker))
        raise BrokerError(f"no queue {name}" + (f": is it {' or '.join(near)}?" if near else ""))
    return depth
