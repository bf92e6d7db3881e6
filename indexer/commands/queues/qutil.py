"""`qutil`: look into the queues of a running system, and repair them."""

from collections.abc import Mapping
from itertools import count
from typing import Annotated, Any

import typer
from rich.console import Console

from indexer.broker import Depth
from indexer.broker.moving import move as move_messages
from indexer.commands.console.entry import enter
from indexer.commands.console.terminal import AsJson, confirm, line_of_json
from indexer.commands.queues import depths, quarantine, queue_archives
from indexer.commands.queues.brokers import BrokerURL, Data, OpenedBroker, ensure_queue, queue_names
from indexer.errors import ConfigurationError
from indexer.messages.message import KEY_HEADER, Delivery, Headers, Send, first_key, kept_headers
from indexer.messages.topology import Queue, Topology, input_queue, quarantine_queue
from indexer.stories.tools.queue_archives import OURS

QUARANTINE = quarantine_queue("")

app = typer.Typer(
    help="""Look into queues, and repair them: list, show, dump, load, retry, move, purge, delete.

    Examples:

        qutil list

        qutil reasons parser-quar

        qutil retry parser --max 10
    """,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)

out = Console(soft_wrap=True)

QueueName = Annotated[str, typer.Argument(metavar="QUEUE", help="The name of a queue.")]
Most = Annotated[
    int | None,
    typer.Option(
        "--max", metavar="N", min=0, help="So many messages, no more.", show_default="all"
    ),
]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


@app.command("list")
def list_queues(broker: BrokerURL = "", data: Data = "", as_json: AsJson = False) -> None:
    """How full all queues are: ready, in the hand of consumers, consumers, bytes.

    What a broker can't tell is blank: RabbitMQ doesn't say what consumers hold, nor bytes.

    Examples:

        qutil list

        qutil list --json --broker sqlite:///data/queues.sqlite3
    """
    with OpenedBroker(broker, data) as opened:
        rows = [*depths.depths(opened, queue_names(opened))]
    if not as_json:
        out.print(depths.table(rows))
        return
    for row in rows:
        print(depths.line_of_json(*row))


@app.command()
def show(
    queue: QueueName,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="How many.")] = 10,
    broker: BrokerURL = "",
    data: Data = "",
    as_json: AsJson = False,
) -> None:
    """The first messages of a queue, which stay in it: headers, and the story's first line.

    RabbitMQ counts each look as a delivery, and puts what was shown behind what was shown before.

    Examples:

        qutil show parser-quar

        qutil show fetcher-in --limit 100 --json | jq -r .label
    """
    with OpenedBroker(broker, data) as opened:
        ensure_queue(opened, queue)
        for number, delivery in zip(count(1), opened.peek(queue, limit), strict=False):
            if as_json:
                print(quarantine.message_as_json(number, delivery))
            else:
                print("\n".join(quarantine.lines(number, delivery)))


@app.command()
def reasons(
    queue: QueueName, broker: BrokerURL = "", data: Data = "", as_json: AsJson = False
) -> None:
    """Why messages are in a quarantine: how many for each exception and place, and a sample.

    All messages are looked at, and stay. Exceptions that differ in numbers only are one.

    Examples:

        qutil reasons parser-quar

        qutil reasons importer-quar --json | jq .count
    """
    with OpenedBroker(broker, data) as opened:
        waiting = ensure_queue(opened, queue).ready
        found = quarantine.reasons(opened.peek(queue, waiting))
    for reason in found:
        print(reason.json() if as_json else reason.line(), end="\n" if as_json else "")


@app.command()
def retry(
    queue: Annotated[
        str, typer.Argument(metavar="QUEUE|STEP", help="parser, or parser-quar: the same.")
    ],
    most: Most = None,
    reason: Annotated[
        str,
        typer.Option("--reason", metavar="TEXT", help="Only those whose reason has this in it."),
    ] = "",
    broker: BrokerURL = "",
    data: Data = "",
    as_json: AsJson = False,
) -> None:
    """Send messages from a quarantine to the step that put them there, as if they were new.

    Those that fail again come back. What they were set aside for is forgotten.

    Examples:

        qutil retry parser

        qutil retry importer-quar --max 10 --reason "no-url"
    """
    step = queue.removesuffix(QUARANTINE)
    if step == queue and queue.endswith(("-in", "-out", "-delay", "-fast", "-end")):
        raise ConfigurationError(f"{queue} is not a quarantine: name one, or a step")
    source, target = quarantine_queue(step), input_queue(step)

    def send(delivery: Delivery) -> Send | None:
        if not quarantine.gives(delivery, reason):
            return None
        return Send("", target, delivery.body, _as_new(delivery))

    with OpenedBroker(broker, data) as opened:
        ensure_queue(opened, source)
        ensure_queue(opened, target)
        moved = move_messages(opened, source, most, send)
    _tell_moved(source, target, *moved, as_json=as_json)


@app.command()
def move(
    source: Annotated[str, typer.Argument(metavar="FROM", help="The queue that they are in.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The queue that they go to.")],
    most: Most = None,
    broker: BrokerURL = "",
    data: Data = "",
    as_json: AsJson = False,
) -> None:
    """Move messages to another queue, with their headers.

    Those of a -delay or -fast queue don't wait any longer then.

    Examples:

        qutil move parser-delay parser-in

        qutil move importer-in importer-quar --max 100
    """
    queue_archives.check_target(target)
    if source == target:
        raise ConfigurationError(f"they are in {target} already")

    def send(delivery: Delivery) -> Send:
        return Send("", target, delivery.body, kept_headers(delivery))

    with OpenedBroker(broker, data) as opened:
        ensure_queue(opened, source)
        ensure_queue(opened, target)
        moved = move_messages(opened, source, most, send)
    _tell_moved(source, target, *moved, as_json=as_json)


@app.command()
def purge(
    queue: QueueName,
    yes: Yes = False,
    broker: BrokerURL = "",
    data: Data = "",
    as_json: AsJson = False,
) -> None:
    """Drop the messages that wait in a queue. What consumers hold stays theirs.

    Asks before, or needs --yes; without a terminal and without --yes nothing is done (status 2).

    Examples:

        qutil purge fetcher-in

        qutil purge fetcher-quar --yes
    """
    with OpenedBroker(broker, data) as opened:
        confirm(f"Drop {_contents(ensure_queue(opened, queue))} of {queue}?", yes=yes)
        dropped = opened.purge(queue)
    text = f"{queue}: {dropped} messages dropped"
    _tell(text, {"queue": queue, "dropped": dropped}, as_json=as_json)


@app.command()
def delete(
    queue: QueueName,
    yes: Yes = False,
    broker: BrokerURL = "",
    data: Data = "",
    as_json: AsJson = False,
) -> None:
    """Delete a queue with its messages.

    Asks before, or needs --yes; without a terminal and without --yes nothing is done (status 2).
    `python pipeline.py configure` makes the queues of a flavor again.

    Examples:

        qutil delete old-queue

        qutil delete old-queue --yes
    """
    with OpenedBroker(broker, data) as opened:
        depth = ensure_queue(opened, queue)
        users = f" that has {depth.consumers} consumers," if depth.consumers else ""
        confirm(f"Delete {queue},{users} with {_contents(depth)}?", yes=yes)
        opened.delete(Topology(queues=[Queue(queue)]))
    text = f"{queue}: deleted, with {_contents(depth)}"
    values = {"queue": queue, "deleted": True, "ready": depth.ready, "in_hand": depth.unsettled}
    _tell(text, values, as_json=as_json)


app.command("dump_archives")(queue_archives.dump)
app.command("dump-archives", hidden=True)(queue_archives.dump)
app.command("load_archives")(queue_archives.load)
app.command("load-archives", hidden=True)(queue_archives.load)


def _as_new(delivery: Delivery) -> Headers:
    """The headers of a message that is tried again: its key, and nothing of what happened."""
    headers = {name: v for name, v in delivery.headers.items() if not name.startswith(OURS)}
    return {**headers, KEY_HEADER: first_key(delivery)}


def _tell_moved(source: str, target: str, moved: int, stayed: int, *, as_json: bool) -> None:
    stays = f", {stayed} with other reasons stay" if stayed else ""
    text = f"{moved} messages from {source} to {target}{stays}"
    _tell(text, {"from": source, "to": target, "moved": moved, "stayed": stayed}, as_json=as_json)


def _tell(text: str, values: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what was done, for a person or for a program."""
    if as_json:
        print(line_of_json(values))
    else:
        out.print(text, highlight=False)


def _contents(depth: Depth) -> str:
    held = f" and {depth.unsettled} that consumers hold" if depth.unsettled else ""
    return f"{depth.ready} messages{held}"


def main() -> None:
    """Be the `qutil` program."""
    enter(app, "qutil")


if __name__ == "__main__":
    main()
