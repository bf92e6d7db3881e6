"""`story-indexer pipeline` and `python pipeline.py`: the flavors, and their queues on a broker."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import Annotated, Any

import typer
from pydantic import Field
from rich.console import Console
from rich.table import Table

from indexer.broker import Broker
from indexer.broker.moving import ready
from indexer.commands.console.entering import enter
from indexer.commands.console.groups import new_app
from indexer.commands.console.parameters import ConfirmOptions, JSONOptions, with_options
from indexer.commands.console.terminal import confirm
from indexer.commands.queues.brokers import QueueOptions, opened, print_depths
from indexer.commands.running import run as run_command
from indexer.commands.running.topologies import topologies
from indexer.commands.stacks import composing
from indexer.errors import BrokerError
from indexer.messages.pipelines import Pipeline
from indexer.messages.topology import Destination, Topology
from indexer.programs import deployment
from indexer.programs.settings import AppOptions
from indexer.system.options import Options, environment, option
from indexer.system.signals import stop_on_signals
from pipeline import DEFAULT, PIPELINES, flavor

app = new_app(
    """Flavors of pipelines: list them, and manage their queues on a broker.

    Examples:

        story-indexer pipeline list

        story-indexer pipeline configure --type queue-fetcher --broker amqp://rabbit/

        story-indexer pipeline qlen
    """
)

LOOP_SECONDS = 300.0
WAIT_SECONDS = 2.0


class FlavorOptions(Options):
    """Options of commands about one flavor."""

    type: str = option(DEFAULT, "The flavor.", short="t", metavar="FLAVOR")


class ShowFlavorOptions(FlavorOptions, JSONOptions):
    """Options of `pipeline.py show`."""


class TopologyOptions(QueueOptions, FlavorOptions):
    """Options of commands that configure the queues of a flavor, or wait for them."""


class LoopOptions(QueueOptions, FlavorOptions):
    """Options of `pipeline.py configure-and-loop`."""

    interval: Annotated[float, Field(ge=0.1)] = option(
        LOOP_SECONDS, "Pause between two checks.", metavar="SECONDS"
    )


class CheckOptions(QueueOptions, FlavorOptions, JSONOptions):
    """Options of `pipeline.py test` and `pipeline.py qlen`."""


class DeleteOptions(QueueOptions, FlavorOptions, ConfirmOptions):
    """Options of `pipeline.py delete`."""


@app.command("list")
@with_options
def list_flavors(options: JSONOptions) -> None:
    """List the flavors.

    Example:

        story-indexer pipeline list --json | jq -r .flavor
    """
    table = Table("flavor", "family", "what it does", box=None)
    for each in PIPELINES:
        if options.json_:
            print(json.dumps({"flavor": each.name, "family": each.family, "about": each.about}))
        table.add_row(each.name, each.family, each.about)
    if not options.json_:
        Console(soft_wrap=True).print(table)


@app.command()
@with_options
def show(options: ShowFlavorOptions) -> None:
    """Show the steps, queues, exchanges and bindings of a flavor.

    Example:

        story-indexer pipeline show --type historical
    """
    pipeline = flavor(options.type)
    topology = pipeline.compile()
    if options.json_:
        print(json.dumps(_as_json(pipeline, topology)))
        return
    for step in pipeline.steps:
        to = " → " + ", ".join(step.to) if step.to else ""
        print(f"{step.name}{to}   ({pipeline.program(step)})")
    for queue in topology.queues:
        after = f" ⇢ {queue.dead_letter}" if queue.dead_letter else ""
        print(f"queue     {queue.name}{after}")
    for exchange in topology.exchanges:
        print(f"exchange  {exchange}")
    for exchange in topology.shared:
        print(f"exchange  {exchange}   (other programs may use it, too)")
    for exchange in topology.instances:
        print(f"exchange  {exchange}   (a queue that expires for each running instance)")
    for binding in topology.bindings:
        kind = "exchange " if binding.kind is Destination.EXCHANGE else ""
        print(f"binding   {binding.exchange} → {kind}{binding.destination} [{binding.key}]")
    for pattern, meaning in _unheard(pipeline).items():
        print(f"unheard   {pattern}: {meaning}")


@app.command()
@with_options
def configure(options: TopologyOptions) -> None:
    """Create the queues, exchanges and bindings of a flavor; those that exist are kept.

    The outputs of its steps go where this flavor says: other bindings are removed. With
    BREADCRUMB_EXCHANGE the queue of pipeview is created, too. With DEPLOYMENT_ID the deployment is
    announced at the end: its programs wait for that.

    Example:

        story-indexer pipeline configure --type queue-fetcher --broker amqp://rabbit/
    """
    with opened(options, make=True) as broker:
        _configure(broker, options.type)


@app.command("configure-and-loop")
@app.command("configure_and_loop", hidden=True)
@with_options
def configure_and_loop(options: LoopOptions) -> None:
    """Configure a flavor, then check every five minutes that nothing is missing.

    An unreachable broker is tried again. Ends with status 0 on SIGTERM or Ctrl-C.

    Example:

        story-indexer pipeline configure-and-loop --type csv --interval 60
    """
    # An unknown flavor is an error now, not at the first check.
    flavor(options.type)
    stop = stop_on_signals()
    while not stop.is_set():
        with _outage_reported(), opened(options, make=True) as broker:
            if _missing(broker, options.type):
                _configure(broker, options.type)
        stop.wait(options.interval)


@app.command("wait")
@with_options
def wait_for(options: TopologyOptions) -> None:
    """Wait until a flavor is configured, and DEPLOYMENT_ID announced if it is set.

    Ends with status 1 on SIGTERM or Ctrl-C.

    Example:

        story-indexer pipeline wait --type csv && story-indexer program parser
    """
    flavor(options.type)
    stop = stop_on_signals()
    printed: list[str] = []
    while True:
        missing = ["the broker"]
        with _outage_reported(), opened(options) as broker:
            missing = _missing(broker, options.type)
        if not missing:
            break
        if missing != printed:
            printed = missing
            text = f"{options.type}: waiting for {len(missing)} things: {missing[0]} …"
            print(text, file=sys.stderr)
        if stop.wait(WAIT_SECONDS):
            raise typer.Exit(1)
    print(f"{options.type}: configured")


@app.command()
@with_options
def qlen(options: CheckOptions) -> None:
    """Show how full the queues of a flavor are.

    Example:

        story-indexer pipeline qlen --json | jq -r 'select(.ready > 0) | .queue'
    """
    queues = [queue.name for queue in flavor(options.type).compile().queues]
    with opened(options) as broker:
        print_depths(broker, queues, as_json=options.json_)


@app.command("test")
@with_options
def check(options: CheckOptions) -> None:
    """Check whether a flavor is configured: exit status 0 if it is, else 1 and what is missing.

    With BREADCRUMB_EXCHANGE and DEPLOYMENT_ID, their queue and announcement are checked, too.

    Example:

        story-indexer pipeline test --type csv || story-indexer pipeline configure --type csv
    """
    with opened(options) as broker:
        missing = _missing(broker, options.type)
    if options.json_:
        print(json.dumps({"flavor": options.type, "missing": missing}))
    else:
        print("".join(f"{line}\n" for line in missing), end="")
    raise typer.Exit(1 if missing else 0)


@app.command()
@with_options
def delete(options: DeleteOptions) -> None:
    """Delete the queues of a flavor, with the messages in them, and its exchanges.

    Other flavors share steps, and so queues, with this one: they lose these queues, too. A shared
    exchange is deleted only if nothing else is bound to it. With DEPLOYMENT_ID, its programs wait
    again until the flavor is configured.

    Example:

        story-indexer pipeline delete --type csv
    """
    name = options.type
    topology = flavor(name).compile()
    others = _sharing(name, topology)
    shared = f", some of them queues of {', '.join(others)} too," if others else ""
    with opened(options) as broker:
        count = sum(ready(broker, queue.name) for queue in topology.queues)
        confirm(f"Delete the queues of {name}{shared} with {count} messages?", yes=options.yes)
        # First, so that no program starts while its queues are being deleted.
        if deployment_id := _step_options().deployment_id:
            deployment.withdraw(broker, deployment_id)
        broker.delete(topology)
        kept = [each for each in topology.shared if each in broker.exchanges()]
    print(f"{name}: deleted, with {count} messages")
    if kept:
        print(f"{', '.join(kept)}: not deleted, as other programs have bindings to it")
    if others:
        print(f"{', '.join(others)}: shared queues deleted too: configure makes them again")


app.command("compose")(composing.compose)

_RUN_HELP = str(run_command.run.__doc__).replace("story-indexer run", "story-indexer pipeline run")
app.command("run", help=_RUN_HELP)(run_command.run)


def _as_json(pipeline: Pipeline, topology: Topology) -> dict[str, Any]:
    """Return a flavor's steps and topology as they are shown with --json."""
    bindings = [
        {"exchange": each.exchange, _DESTINATIONS[each.kind]: each.destination, "key": each.key}
        for each in topology.bindings
    ]
    steps = [{**asdict(step), "to": [*step.to]} for step in pipeline.steps]
    unheard = {"unheard": _unheard(pipeline)}
    return {"steps": steps, **asdict(topology), "bindings": bindings, **unheard}


_DESTINATIONS = {Destination.QUEUE: "queue", Destination.EXCHANGE: "to_exchange"}
"""The names of a binding's destination in JSON."""


def _unheard(pipeline: Pipeline) -> Mapping[str, str]:
    """Return what it means that no queue takes a message, for patterns of its key."""
    return pipeline.exchange.unheard if pipeline.exchange else {}


def _step_options() -> AppOptions:
    """Return the options of the programs that will use the queues."""
    return AppOptions.of(environment())


def _configure(broker: Broker, name: str) -> None:
    given = _step_options()
    for topology in topologies(flavor(name), given.breadcrumb_exchange):
        broker.declare(topology)
    if given.deployment_id:
        # Last: programs that wait for it start at once.
        deployment.announce(broker, given.deployment_id)
    print(f"{name}: configured")


def _missing(broker: Broker, name: str) -> list[str]:
    """Return a line for each part of a flavor, and of its deployment, that does not exist."""
    given = _step_options()
    needed = topologies(flavor(name), given.breadcrumb_exchange)
    missing = [line for each in needed for line in broker.declared(each)]
    if given.deployment_id and not deployment.is_announced(broker, given.deployment_id):
        missing.append(f"{given.deployment_id} is not announced")
    return missing


@contextmanager
def _outage_reported() -> Iterator[None]:
    """Print an error of the broker, and continue: the caller tries again."""
    try:
        yield
    except BrokerError as error:
        print(f"the broker is away: {error}", file=sys.stderr)


def _sharing(name: str, topology: Topology) -> list[str]:
    """Return the other flavors that have some of these queues."""
    queues = {queue.name for queue in topology.queues}
    return [
        other.name
        for other in PIPELINES
        if other.name != name and any(queue.name in queues for queue in other.compile().queues)
    ]


def main() -> None:
    """Be the `pipeline.py` program."""
    enter(app, "pipeline.py")
