"""`python pipeline.py`: the flavors, and their queues on a broker."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from indexer import deployment
from indexer.broker import Broker
from indexer.commands import depths
from indexer.commands import run as run_command
from indexer.commands.brokers import BrokerURL, Data, Opened
from indexer.commands.entry import enter
from indexer.commands.plan import topologies
from indexer.settings import AppOptions
from indexer.signals import stop_on_signals
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
out = Console(soft_wrap=True)

LOOP_SECONDS = 300.0
WAIT_SECONDS = 2.0


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
    """Make a flavor's queues, exchanges and bindings; what is there already stays.

    Its steps' outputs go where this flavor says, and nowhere else any more. With
    BREADCRUMB_EXCHANGE the queue of pipeview is made too. With DEPLOYMENT_ID the programs of that
    deployment, which wait for it, are told in the end.
    """
    opened = Opened(broker, data, make=True)
    with opened as to:
        _configure(to, type, opened.options)


@app.command("configure-and-loop")
@app.command("configure_and_loop", hidden=True)
def configure_and_loop(
    type: Type = DEFAULT,
    broker: BrokerURL = "",
    data: Data = "",
    interval: Annotated[
        float, typer.Option("--interval", metavar="SECONDS", min=0.1, help="Between two looks.")
    ] = LOOP_SECONDS,
) -> None:
    """Configure a flavor, and see to it every five minutes that all stays there.

    Ends with status 0 on SIGTERM or Ctrl-C.
    """
    stop = stop_on_signals()
    opened = Opened(broker, data, make=True)
    while not stop.is_set():
        with opened as to:
            if not _is_configured(to, type, opened.options):
                _configure(to, type, opened.options)
        stop.wait(interval)


@app.command("wait")
def wait_for(type: Type = DEFAULT, broker: BrokerURL = "", data: Data = "") -> None:
    """Wait until a flavor is configured: for DEPLOYMENT_ID, if that is set."""
    stop = stop_on_signals()
    opened = Opened(broker, data)
    with opened as to:
        while not _is_configured(to, type, opened.options):
            if stop.wait(WAIT_SECONDS):
                raise typer.Exit(1)
    out.print(f"{type}: configured", highlight=False)


@app.command()
def qlen(type: Type = DEFAULT, broker: BrokerURL = "", data: Data = "") -> None:
    """How full a flavor's queues are."""
    queues = [queue.name for queue in flavor(type).compile().queues]
    with Opened(broker, data) as opened:
        out.print(depths.table(depths.depths(opened, queues)))


@app.command("test")
def check(type: Type = DEFAULT, broker: BrokerURL = "", data: Data = "") -> None:
    """Whether a flavor is configured: exit status 0 if all is there, else 1 and what is not."""
    with Opened(broker, data) as opened:
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
    with Opened(broker, data) as opened:
        count = sum(_ready(opened, queue.name) for queue in topology.queues)
        if not yes:
            typer.confirm(f"Delete the queues of {type}{shared} with {count} messages?", abort=True)
        opened.delete(topology)
    out.print(f"{type}: deleted, with {count} messages", highlight=False)
    if others:
        out.print(f"{', '.join(others)}: shared queues deleted too: configure makes them again")


_RUN_HELP = str(run_command.run.__doc__).replace("story-indexer run", "python pipeline.py run")
app.command("run", help=_RUN_HELP)(run_command.run)


def _configure(broker: Broker, type: str, options: AppOptions) -> None:
    for topology in topologies(flavor(type), options.breadcrumb_exchange):
        broker.declare(topology)
    if options.deployment_id:
        deployment.announce(broker, options.deployment_id)
    out.print(f"{type}: configured", highlight=False)


def _is_configured(broker: Broker, type: str, options: AppOptions) -> bool:
    announced = options.deployment_id
    if announced and not deployment.is_announced(broker, announced):
        return False
    return not any(
        broker.declared(each) for each in topologies(flavor(type), options.breadcrumb_exchange)
    )


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
    enter(app, "pipeline.py")
