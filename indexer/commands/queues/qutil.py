"""`qutil`: look into the queues of a running system, and repair them."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Annotated, Any

import typer
from pydantic import Field

from indexer.broker import Depth
from indexer.broker.moving import move as move_messages
from indexer.commands.console.entering import enter
from indexer.commands.console.groups import new_app
from indexer.commands.console.parameters import ConfirmOptions, JSONOptions, with_options
from indexer.commands.console.terminal import confirm, line_of_json, say_empty
from indexer.commands.queues import queue_archives
from indexer.commands.queues.brokers import (
    QueueOptions,
    ensure_queue,
    opened,
    print_depths,
    queue_names,
)
from indexer.errors import ConfigurationError
from indexer.messages.message import KEY_HEADER, Delivery, Headers, Send, first_key, kept_headers
from indexer.messages.topology import (
    Queue,
    Topology,
    input_queue,
    quarantine_queue,
    waiting_queues,
)
from indexer.system.options import option
from pipeline import PIPELINES

QUARANTINE = quarantine_queue("")

app = new_app(
    """Look into queues, and repair them: list, show, dump, load, retry, move, purge, delete.

    Examples:

        qutil list

        qutil reasons parser-quar

        qutil retry parser --max 10
    """
)

QueueName = Annotated[str, typer.Argument(metavar="QUEUE", help="The name of a queue.")]


class ShowMessagesOptions(QueueOptions, JSONOptions):
    """Options of `qutil show`."""

    limit: Annotated[int, Field(ge=1)] = option(10, "Number of messages to show.")


class MoveOptions(QueueOptions, JSONOptions):
    """Options of `qutil move`."""

    max_: Annotated[int | None, Field(ge=0)] = option(
        None, "Move at most N messages; default: all.", metavar="N"
    )


class RetryOptions(QueueOptions, JSONOptions):
    """Options of `qutil retry`."""

    max_: Annotated[int | None, Field(ge=0)] = option(
        None, "Retry at most N messages; default: all.", metavar="N"
    )
    reason: str = option("", "Retry only messages whose reason contains this text.")


class PurgeOptions(QueueOptions, JSONOptions, ConfirmOptions):
    """Options of `qutil purge` and `qutil delete`."""


class ListQueuesOptions(QueueOptions, JSONOptions):
    """Options of `qutil list` and `qutil reasons`."""


@app.command("list")
@with_options
def list_queues(options: ListQueuesOptions) -> None:
    """Show how full all queues are: ready, taken by consumers but not settled, consumers, bytes.

    A number that the broker does not tell is blank: RabbitMQ tells neither unsettled messages nor
    bytes.

    Examples:

        qutil list

        qutil list --json --broker sqlite:///data/queues.sqlite3
    """
    with opened(options) as broker:
        print_depths(broker, queue_names(broker), as_json=options.json_)


@app.command()
@with_options
def show(queue: QueueName, options: ShowMessagesOptions) -> None:
    """Show the first messages of a queue: headers, and the story's first line. They stay queued.

    RabbitMQ counts each look as a delivery, and may show other messages first the next time.

    Examples:

        qutil show parser-quar

        qutil show fetcher-in --limit 100 --json | jq -r .label
    """
    from indexer.commands.queues import quarantine  # noqa: PLC0415 - not for the help

    with opened(options) as broker:
        ensure_queue(broker, queue)
        empty = True
        for number, delivery in enumerate(broker.peek(queue, options.limit), start=1):
            empty = False
            if options.json_:
                print(quarantine.message_as_json(number, delivery))
            else:
                print("\n".join(quarantine.lines(number, delivery)))
        if empty:
            say_empty(f"{queue}: no messages")


@app.command()
@with_options
def reasons(queue: QueueName, options: ListQueuesOptions) -> None:
    """Show why messages are in a quarantine: a count and a sample for each exception and place.

    All messages are read, and stay queued. Exceptions that differ only in numbers count as one.

    Examples:

        qutil reasons parser-quar

        qutil reasons importer-quar --json | jq .count
    """
    from indexer.commands.queues import quarantine  # noqa: PLC0415 - not for the help

    with opened(options) as broker:
        # Only as many as wait now: messages that are put back would be counted twice.
        waiting = ensure_queue(broker, queue).ready
        found = quarantine.reasons(broker.peek(queue, waiting))
    if not found:
        say_empty(f"{queue}: no messages")
    for reason in found:
        print(line_of_json(asdict(reason)) + "\n" if options.json_ else reason.line(), end="")


@app.command()
@with_options
def retry(
    queue: Annotated[
        str, typer.Argument(metavar="QUEUE|STEP", help="parser or parser-quar: both mean the same.")
    ],
    options: RetryOptions,
) -> None:
    """Send messages of a quarantine to their step again, as new messages.

    A message that fails again comes back. Its earlier retries and errors are forgotten.

    Examples:

        qutil retry parser

        qutil retry importer-quar --max 10 --reason "no-url"
    """
    from indexer.commands.queues import quarantine  # noqa: PLC0415 - not for the help

    step = queue.removesuffix(QUARANTINE)
    # A step's own name has no such ending.
    if step == queue and queue.endswith(("-in", "-out", "-end", *waiting_queues(""))):
        raise ConfigurationError(f"{queue} is not a quarantine: name a quarantine or a step")
    source, target = quarantine_queue(step), _input(step)

    def send(delivery: Delivery) -> Send | None:
        if not quarantine.mentions(delivery, options.reason):
            return None
        return Send("", target, delivery.body, _as_new(delivery))

    _move(source, target, options, send)


@app.command()
@with_options
def move(
    source: Annotated[str, typer.Argument(metavar="FROM", help="The queue to take from.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The queue to send to.")],
    options: MoveOptions,
) -> None:
    """Move messages to another queue, with their headers.

    Messages of a -fast or -delay queue do not wait any longer.

    Examples:

        qutil move parser-delay parser-in

        qutil move importer-in importer-quar --max 100
    """
    queue_archives.check_target(target)
    if source == target:
        raise ConfigurationError(f"the messages are in {target} already")

    def send(delivery: Delivery) -> Send:
        return Send("", target, delivery.body, kept_headers(delivery))

    _move(source, target, options, send)


@app.command()
@with_options
def purge(queue: QueueName, options: PurgeOptions) -> None:
    """Drop the messages that wait in a queue. Messages that consumers have taken are kept.

    Asks for confirmation; without a terminal it needs --yes, else nothing is done (status 2).

    Examples:

        qutil purge fetcher-in

        qutil purge fetcher-quar --yes
    """
    with opened(options) as broker:
        contents = _contents(ensure_queue(broker, queue))
        confirm(f"Drop {contents} of {queue}?", yes=options.yes)
        dropped = broker.purge(queue)
    text = f"{queue}: {dropped} messages dropped"
    _print_result(text, {"queue": queue, "dropped": dropped}, as_json=options.json_)


@app.command()
@with_options
def delete(queue: QueueName, options: PurgeOptions) -> None:
    """Delete a queue with its messages.

    Asks for confirmation; without a terminal it needs --yes, else nothing is done (status 2).
    `story-indexer pipeline configure` makes the queues of a flavor again.

    Examples:

        qutil delete old-queue

        qutil delete old-queue --yes
    """
    with opened(options) as broker:
        depth = ensure_queue(broker, queue)
        users = f" that has {depth.consumers} consumers," if depth.consumers else ""
        confirm(f"Delete {queue},{users} with {_contents(depth)}?", yes=options.yes)
        broker.delete(Topology(queues=[Queue(queue)]))
    text = f"{queue}: deleted, with {_contents(depth)}"
    values = {"queue": queue, "deleted": True, "ready": depth.ready, "in_hand": depth.unsettled}
    _print_result(text, values, as_json=options.json_)


app.command("dump_archives")(queue_archives.dump)
app.command("dump-archives", hidden=True)(queue_archives.dump)
app.command("load_archives")(queue_archives.load)
app.command("load-archives", hidden=True)(queue_archives.load)


def _input(step: str) -> str:
    """Return the input queue of a step, which a flavor may have given a name."""
    named = (each.input for flavor in PIPELINES for each in flavor.steps if each.name == step)
    return next(named, input_queue(step))


def _as_new(delivery: Delivery) -> Headers:
    """Return the headers of a message that is retried: without those of earlier attempts."""
    from indexer.stories.tools.queue_archives import OURS  # noqa: PLC0415 - not for the help

    headers = {name: v for name, v in delivery.headers.items() if not name.startswith(OURS)}
    return {**headers, KEY_HEADER: first_key(delivery)}


def _move(
    source: str,
    target: str,
    options: MoveOptions | RetryOptions,
    send: Callable[[Delivery], Send | None],
) -> None:
    """Move messages as `send` says, and print how many were moved."""
    with opened(options) as broker:
        ensure_queue(broker, source)
        ensure_queue(broker, target)
        moved, stayed = move_messages(broker, source, options.max_, send)
    stays = f", {stayed} with other reasons stay" if stayed else ""
    text = f"{moved} messages from {source} to {target}{stays}"
    values = {"from": source, "to": target, "moved": moved, "stayed": stayed}
    _print_result(text, values, as_json=options.json_)


def _print_result(text: str, values: Mapping[str, Any], *, as_json: bool) -> None:
    print(line_of_json(values) if as_json else text)


def _contents(depth: Depth) -> str:
    taken = f" and {depth.unsettled} that consumers have taken" if depth.unsettled else ""
    return f"{depth.ready} messages{taken}"


def main() -> None:
    """Be the `qutil` program."""
    enter(app, "qutil")


if __name__ == "__main__":
    main()
