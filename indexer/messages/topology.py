"""What a broker is asked to have: queues, exchanges, and bindings between them.

Names are those of stories.md 3.1. Each step P has an output exchange `P-out`. A step that consumes
has an input queue, `P-in` if no other name is given, `P-quar` for messages that failed, and queues
in which messages wait: `P-fast`, `P-delay-short`, `P-delay` and `P-delay-long`. A step with a queue
for each running instance has an exchange `P-instances`.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from indexer.errors import ConfigurationError
from indexer.messages.message import DEFAULT_KEY
from indexer.messages.topics import ALL

DELIVERY_LIMIT = 20
"""How often a message may be delivered to consumers that die, before it is quarantined. When a
consumer is killed, RabbitMQ counts a delivery of every message that it held: a low limit would
quarantine the neighbours of the message that killed it."""

SHORTEST_EXPIRY = 600.0
"""The least seconds without a consumer after which a queue may be deleted with its messages: a
program that is started again, or whose machine restarts, finds its queue as it left it."""

INSTANCE_EXPIRY = 1800.0
"""Seconds after which the queue of an instance that has ended is deleted."""


def input_queue(step: str) -> str:
    """The queue of messages that a step has to handle, if no other name is given."""
    return f"{step}-in"


def output_exchange(step: str) -> str:
    """The exchange of a step's output."""
    return f"{step}-out"


def instances_exchange(step: str) -> str:
    """The exchange to which each running instance of a step binds its own queue."""
    return f"{step}-instances"


def quarantine_queue(step: str) -> str:
    """The queue of messages that need an operator."""
    return f"{step}-quar"


def short_delay_queue(step: str) -> str:
    """The queue of messages that wait a sixth of the time of `P-delay`."""
    return f"{step}-delay-short"


def delay_queue(step: str) -> str:
    """The queue of messages that wait for a retry."""
    return f"{step}-delay"


def long_delay_queue(step: str) -> str:
    """The queue of messages that wait six times as long as those of `P-delay`."""
    return f"{step}-delay-long"


def end_queue(step: str) -> str:
    """The queue of a last step's output: it drops every message."""
    return f"{step}-end"


def fast_queue(step: str) -> str:
    """The queue of messages that came too early, and wait for a short time."""
    return f"{step}-fast"


def waiting_queues(step: str) -> list[str]:
    """The queues from which messages return to the step's input after some time."""
    queues = (fast_queue, short_delay_queue, delay_queue, long_delay_queue)
    return [queue(step) for queue in queues]


@dataclass(frozen=True, slots=True)
class Queue:
    """A durable queue.

    `dead_letter` names the queue that gets the messages that expire here (a `Send` with `delay`),
    or that were delivered more than `delivery_limit` times without being settled. A queue that does
    not `keep` drops its messages: it is the declared end of a pipeline, as publishing to an
    exchange without a queue is an error. A queue that `expires` is deleted, with its messages, when
    it had no consumer for so many seconds; 0: never. Raises ConfigurationError if that is less than
    SHORTEST_EXPIRY.
    """

    name: str
    dead_letter: str = ""
    delivery_limit: int = DELIVERY_LIMIT
    keep: bool = True
    expires: float = 0.0

    def __post_init__(self) -> None:
        if self.expires and self.expires < SHORTEST_EXPIRY:
            raise ConfigurationError(
                f"queue {self.name}: expires after {self.expires:g} seconds without a consumer; "
                f"the least is {SHORTEST_EXPIRY:g}"
            )


class Destination(StrEnum):
    """The kinds of destinations of a binding."""

    QUEUE = "queue"
    EXCHANGE = "exchange"


@dataclass(frozen=True, slots=True)
class Binding:
    """Routes messages of an exchange to a queue, or to another exchange, if the key matches."""

    exchange: str
    destination: str
    key: str = DEFAULT_KEY
    kind: Destination = Destination.QUEUE


@dataclass(frozen=True, slots=True)
class Topology:
    """The queues, exchanges and bindings of a broker. Exchanges are durable topic exchanges.

    `exchanges` are the topology's own: other bindings of them are removed. `shared` exchanges have
    bindings of other programs, too: only those to this topology's queues and exchanges are its
    own, and the exchange is deleted only if nothing is bound to it. To the exchanges in `instances`
    running programs bind their own queues, see `instance_topology`: these bindings are left alone.
    """

    queues: Sequence[Queue] = ()
    exchanges: Sequence[str] = ()
    bindings: Sequence[Binding] = ()
    shared: Sequence[str] = ()
    instances: Sequence[str] = ()

    @property
    def all_exchanges(self) -> list[str]:
        """The exchanges of all three kinds."""
        return [*self.exchanges, *self.instances, *self.shared]

    def superfluous(self, exchange: str, bound: Collection[Binding]) -> list[Binding]:
        """Those bindings of an exchange that are to be removed."""
        if exchange in self.instances:
            return []
        others = sorted(set(bound).difference(self.bindings), key=str)
        if exchange not in self.shared:
            return others
        queues = {queue.name for queue in self.queues}
        ours = {Destination.QUEUE: queues, Destination.EXCHANGE: {*self.all_exchanges}}
        return [binding for binding in others if binding.destination in ours[binding.kind]]

    def binding_differences(self, exchange: str, bound: Collection[Binding]) -> Iterator[str]:
        """The missing and the superfluous bindings of one exchange, one line for each."""
        wanted = {binding for binding in self.bindings if binding.exchange == exchange}
        for one in sorted(wanted.difference(bound), key=str):
            yield f"{one.kind} {one.destination} is not bound to {exchange} ({one.key})"
        for one in self.superfluous(exchange, bound):
            yield f"{one.kind} {one.destination} should not be bound to {exchange} ({one.key})"


def instance_topology(
    step: str, instance: str, queue: str = "", expires: float = INSTANCE_EXPIRY
) -> Topology:
    """The queue of one running instance of a step, which declares it when it starts.

    The queue gets all messages that the step has for each of its instances (`Step.instances`). Its
    name is that of the input queue (`queue`, or `P-in`), `_` and the instance's name. When the
    instance has ended, the queue is deleted after `expires` seconds, with its messages. Raises
    ConfigurationError.
    """
    name = f"{queue or input_queue(step)}_{instance}"
    return Topology(
        queues=[Queue(name, expires=expires)],
        bindings=[Binding(instances_exchange(step), name, ALL)],
    )
