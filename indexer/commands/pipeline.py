"""`python pipeline.py`: the flavors, and their queues on a broker."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from indexer.broker import Broker
from indexer.broker.moving import ready
from indexer.commands.console.entry import enter
from indexer.commands.console.terminal import AsJson, confirm
from indexer.commands.queues import depths
from indexer.commands.queues.brokers import BrokerURL, Data, OpenedBroker
from indexer.commands.running import run as run_command
from indexer.commands.running.plan import topologies
from indexer.errors import BrokerError
from indexer.messages.topology import Topology
from indexer.programs import deployment
from indexer.programs.settings import AppOptions
from indexer.system.signals import stop_on_signals
from pipeline import DEFAULT, PIPELINES, flavor

app = typer.Typer(
    help="""Flavors of pipelines: what there is, and its queues on a broker.

    Examples:

        python pipeline.py list

        python pipeline.py configure --type queue-fetcher --broker amqp://rabbit/

        python pipeline.py qlen
    """,
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
def list_flavors(as_json: AsJson = False) -> None:
    """The flavors there are.

    Example:

        python pipeline.py list --json | jq -r .flavor
    """
    table = Table("flavor", "family", "what it does", box=None)
    for each in PIPELINES:
        if as_json:
            print(json.dumps({"flavor": each.name, "family": each.family, "about": each.about}))
        table.add_row(each.name, each.family, each.about)
    if not as_json:
        out.print(table)


@app.command()
def show(type: Type = DEFAULT, as_json: AsJson = False) -> None:
    """A flavor's steps, queues, exchanges and bindings.

    Example:

        python pipeline.py show --type historical
    """
    pipeline = flavor(type)
    topology = pipeline.compile()
    if as_json:
        print(json.dumps({"steps": list(map(asdict, pipeline.steps)), **asdict(topology)}))
        return
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

    Example:

        python pipeline.py configure --type queue-fetcher --broker amqp://rabbit/
    """
    opened = OpenedBroker(broker, data, make=True)
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

    A broker that is away is looked for again. Ends with status 0 on SIGTERM or Ctrl-C.

    Example:

        python pipeline.py configure-and-loop --type csv --interval 60
    """
    flavor(type)
    stop = stop_on_signals()
    opened = OpenedBroker(broker, data, make=True)
    while not stop.is_set():
        with _absence_told(), opened as to:
            if _missing(to, type, opened.options):
                _configure(to, type, opened.options)
        stop.wait(interval)


@app.command("wait")
def wait_for(type: Type = DEFAULT, broker: BrokerURL = "", data: Data = "") -> None:
    """Wait until a flavor is configured: for DEPLOYMENT_ID, if that is set.

    Ends with status 1 on SIGTERM or Ctrl-C.

    Example:

        python pipeline.py wait --type csv && python -m workers.stories.parser
    """
    flavor(type)
    stop = stop_on_signals()
    opened = OpenedBroker(broker, data)
    told: list[str] = []
    while True:
        missing = ["the broker"]
        with _absence_told(), opened as to:
            missing = _missing(to, type, opened.options)
        if not missing:
            break
        if missing != told:
            told = missing
            print(f"{type}: waiting for {len(missing)} things: {missing[0]} …", file=sys.stderr)
        if stop.wait(WAIT_SECONDS):
            raise typer.Exit(1)
    out.print(f"{type}: configured", highlight=False)


@app.command()
def qlen(
    type: Type = DEFAULT, broker: BrokerURL = "", data: Data = "", as_json: AsJson = False
) -> None:
    """How full a flavor's queues are.

    Example:

        python pipeline.py qlen --json | jq -r 'select(.ready > 0) | .queue'
    """
    queues = [queue.name for queue in flavor(type).compile().queues]
    with OpenedBroker(broker, data) as opened:
        rows = list(depths.depths(opened, queues))
    if not as_json:
        out.print(depths.table(rows))
        return
    for row in rows:
        print(depths.line_of_json(*row))


@app.command("test")
def check(
    type: Type = DEFAULT, broker: BrokerURL = "", data: Data = "", as_json: AsJson = False
) -> None:
    """Whether a flavor is configured: exit status 0 if all is there, else 1 and what is not.

    With BREADCRUMB_EXCHANGE and DEPLOYMENT_ID, whether what belongs to them is there too.

    Example:

        python pipeline.py test --type csv || python pipeline.py configure --type csv
    """
    opened = OpenedBroker(broker, data)
    with opened as to:
        missing = _missing(to, type, opened.options)
    if as_json:
        print(json.dumps({"flavor": type, "missing": missing}))
    else:
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
    With DEPLOYMENT_ID, its programs wait again for it to be configured.

    Example:

        python pipeline.py delete --type csv
    """
    topology = flavor(type).compile()
    others = _sharing(type, topology)
    shared = f", some of them queues of {', '.join(others)} too," if others else ""
    opened = OpenedBroker(broker, data)
    with opened as to:
        count = sum(ready(to, queue.name) for queue in topology.queues)
        confirm(f"Delete the queues of {type}{shared} with {count} messages?", yes=yes)
        if opened.options.deployment_id:
            deployment.withdraw(to, opened.options.deployment_id)
        to.delete(topology)
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


def _missing(broker: Broker, type: str, options: AppOptions) -> list[str]:
    """What is not there of a flavor, and of what belongs to it, a line each."""
    needed = topologies(flavor(type), options.breadcrumb_exchange)
    missing = [line for each in needed for line in broker.declared(each)]
    announced = options.deployment_id
    if announced and not deployment.is_announced(broker, announced):
        missing.append(f"{announced} is not announced")
    return missing


@contextmanager
def _absence_told() -> Iterator[None]:
    """A broker that is away is looked for again later."""
    try:
        yield
    except BrokerError as error:
        print(f"the broker is away: {error}", file=sys.stderr)


def _sharing(name: str, topology: Topology) -> list[str]:
    """The other flavors that have some of these queues."""
    queues = {queue.name for queue in topology.queues}
    return [
        other.name
        for other in PIPELINES
        if other.name != name and any(queue.name in queues for queue in other.compile().queues)
    ]


def main() -> None:
    """Be the `pipeline.py` program."""
    enter(app, "pipeline.py")
