"""`python pipeline.py`: the flavors, and their queues on a broker."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from indexer.broker import Broker, open_broker
from indexer.commands import run as run_command
from indexer.errors import ConfigurationError, StoryIndexerError
from indexer.options import environment
from indexer.settings import AppOptions
from indexer.topology import Topology
from pipeline import DEFAULT, PIPELINES, flavor

app = typer.Typer(
    help="Flavors of pipelines: what there is, and its queues on a broker.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)

Type = Annotated[str, typer.Option("--type", "-t", help="The flavor.", metavar="FLAVOR")]
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

out = Console(soft_wrap=True)


@app.command("list")
def list_flavors() -> None:
    """The flavors there are."""
    table = Table("flavor", "family", "what it does", box=None)
    for each in PIPELINES:
        table.add_row(each.name, each.family, each.about)
    out.print(table)


@app.command()
def show(type: Type = DEFAULT) -> None:
    """A flavor's steps, queues, exchanges and bindings."""
    pipeline = flavor(type)
    topology = pipeline.compile()
    for step in pipeline.steps:
        to = " → " + ", ".join(step.to) if step.to else ""
        out.print(f"{step.name}{to}   ({pipeline.program(step)})", highlight=False)
    for queue in topology.queues:
        after = f" ⇢ {queue.dead_letter}" if queue.dead_letter else ""
        out.print(f"queue     {queue.name}{after}", highlight=False)
    for exchange in topology.exchanges:
        out.print(f"exchange  {exchange}", highlight=False)
    for binding in topology.bindings:
        out.print(f"binding   {binding.exchange} → {binding.queue} [{binding.key}]", markup=False)


@app.command()
def configure(type: Type = DEFAULT, broker: BrokerURL = "", data: Data = "") -> None:
    """Make a flavor's queues, exchanges and bindings; what is there already stays."""
    with _Opened(broker, data, make=True) as opened:
        opened.declare(flavor(type).compile())
    out.print(f"{type}: configured")


@app.command()
def qlen(type: Type = DEFAULT, broker: BrokerURL = "", data: Data = "") -> None:
    """How full a flavor's queues are."""
    table = Table("queue", box=None)
    for heading in ("ready", "in hand", "consumers", "bytes"):
        table.add_column(heading, justify="right")
    with _Opened(broker, data) as opened:
        for queue in flavor(type).compile().queues:
            depth = opened.depth(queue.name)
            cells = depth if depth is not None else ("missing", None, None, None)
            table.add_row(queue.name, *("" if cell is None else str(cell) for cell in cells))
    out.print(table)


@app.command("test")
def check(type: Type = DEFAULT, broker: BrokerURL = "", data: Data = "") -> None:
    """Whether a flavor is configured: exit status 0 if all is there, else 1 and what is not."""
    with _Opened(broker, data) as opened:
        missing = opened.declared(flavor(type).compile())
    for line in missing:
        out.print(line, highlight=False)
    raise typer.Exit(1 if missing else 0)


@app.command()
def delete(
    type: Type = DEFAULT,
    broker: BrokerURL = "",
    data: Data = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete a flavor's queues, with the messages in them, and its exchanges.

    Other flavors have steps, and so queues, of the same names: these are deleted for them too.
    """
    topology = flavor(type).compile()
    others = _sharing(type, topology)
    shared = f", some of them queues of {', '.join(others)} too," if others else ""
    with _Opened(broker, data) as opened:
        count = sum(_ready(opened, queue.name) for queue in topology.queues)
        if not yes:
            typer.confirm(f"Delete the queues of {type}{shared} with {count} messages?", abort=True)
        opened.delete(topology)
    out.print(f"{type}: deleted, with {count} messages", highlight=False)
    if others:
        out.print(f"{', '.join(others)}: shared queues deleted too: configure makes them again")


_RUN_HELP = str(run_command.run.__doc__).replace("story-indexer run", "python pipeline.py run")
app.command("run", help=_RUN_HELP)(run_command.run)


class _Opened:
    """The broker of the options, closed at the end.

    A data directory that isn't there is made if asked for, else a ConfigurationError.
    """

    def __init__(self, url: str, data: str, *, make: bool = False) -> None:
        self._make = make
        given = {"BROKER_URL": url, "DATAROOT": data}
        asked = {name: value for name, value in given.items() if value}
        self._options = AppOptions.of({**environment(), **asked})

    def __enter__(self) -> Broker:
        if not self._options.broker_url.get_secret_value():
            _ensure(self._options.data, make=self._make)
        self._broker = open_broker(self._options.broker)
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


def _sharing(name: str, topology: Topology) -> list[str]:
    """The other flavors that have some of these queues."""
    queues = {queue.name for queue in topology.queues}
    return [
        other.name
        for other in PIPELINES
        if other.name != name and any(queue.name in queues for queue in other.compile().queues)
    ]


def _ready(broker: Broker, queue: str) -> int:
    depth = broker.depth(queue)
    return depth.ready if depth else 0


def main() -> None:
    """Be the `pipeline.py` program."""
    try:
        app()
    except StoryIndexerError as error:
        print(f"pipeline.py: {error}", file=sys.stderr)
        sys.exit(1)
