"""Pipelines as data, and what they compile to: queues, exchanges, bindings.

    Pipeline("csv", [Step("csv-queuer", to=["fetcher"]), Step("fetcher", to=["parser"]), …])

Names are those of stories.md 3.1. Each step P has an output exchange `P-out`. A step that consumes
has an input queue `P-in`, and `P-delay`, `P-fast` and `P-quar` for messages that failed.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from indexer.errors import ConfigurationError
from indexer.messages.message import DEFAULT_KEY

DELIVERY_LIMIT = 20
"""How often a message may be delivered to consumers that die, before it is quarantined. When a
consumer is killed, RabbitMQ counts a delivery of every message that it held: a low limit would
quarantine the neighbours of the message that killed it."""


def input_queue(step: str) -> str:
    """The queue of messages that a step has to handle."""
    return f"{step}-in"


def output_exchange(step: str) -> str:
    """The exchange of a step's output."""
    return f"{step}-out"


def quarantine_queue(step: str) -> str:
    """The queue of messages that need an operator."""
    return f"{step}-quar"


def delay_queue(step: str) -> str:
    """The queue of messages that wait for a retry."""
    return f"{step}-delay"


def end_queue(step: str) -> str:
    """The queue of a last step's output: it drops every message."""
    return f"{step}-end"


def fast_queue(step: str) -> str:
    """The queue of messages that came too early, and wait for a short time."""
    return f"{step}-fast"


@dataclass(frozen=True, slots=True)
class Queue:
    """A durable queue.

    `dead_letter` names the queue that gets the messages that expire here (a `Send` with `delay`),
    or that were delivered more than `delivery_limit` times without being settled. A queue that does
    not `keep` drops its messages: it is the declared end of a pipeline, as publishing to an
    exchange without a queue is an error.
    """

    name: str
    dead_letter: str = ""
    delivery_limit: int = DELIVERY_LIMIT
    keep: bool = True


@dataclass(frozen=True, slots=True)
class Binding:
    """Routes messages of an exchange to a queue if the key matches (`*` one word, `#` any)."""

    exchange: str
    queue: str
    key: str = DEFAULT_KEY


@dataclass(frozen=True, slots=True)
class Topology:
    """The queues, exchanges and bindings of a broker. Exchanges are durable topic exchanges."""

    queues: Sequence[Queue] = ()
    exchanges: Sequence[str] = ()
    bindings: Sequence[Binding] = ()

    def binding_differences(self, exchange: str, bound: Collection[Binding]) -> Iterator[str]:
        """The missing and the superfluous bindings of one exchange, one line for each."""
        wanted = {binding for binding in self.bindings if binding.exchange == exchange}
        for binding in sorted(wanted.difference(bound), key=str):
            yield f"queue {binding.queue} is not bound to {exchange} ({binding.key})"
        for binding in sorted(set(bound) - wanted, key=str):
            yield f"queue {binding.queue} should not be bound to {exchange} ({binding.key})"


@dataclass(frozen=True, slots=True)
class Step:
    """A program's place in a pipeline: its process name, and the steps that get its output.

    `program` is the module to run, `workers.<family>.<name>` by default. A step consumes messages
    if another step names it in `to`, or if it has `listen`: routing keys of the pipeline's
    exchange.
    """

    name: str
    to: Sequence[str] = ()
    listen: Sequence[str] = ()
    program: str = ""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A flavor: the steps of a family's pipeline, in the order of the flow.

    `family` is the folder under `workers/`. Steps with `listen` get messages of `exchange`, and of
    all other steps' output exchanges. `environment` holds the flavor's own defaults of settings
    (ARCHIVER_PREFIX and the like).
    """

    name: str
    steps: Sequence[Step]
    family: str = "stories"
    exchange: str = ""
    about: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)

    def program(self, step: Step) -> str:
        """The module of a step's program."""
        return step.program or f"workers.{self.family}.{step.name.replace('-', '_')}"

    def consumes(self, step: Step) -> bool:
        """Whether a step has an input queue."""
        return bool(step.listen) or any(step.name in other.to for other in self.steps)

    def compile(self) -> Topology:
        """The queues, exchanges and bindings of the pipeline. Raises ConfigurationError."""
        self._check()
        consumers = [step.name for step in self.steps if self.consumes(step)]
        exchanges = [output_exchange(step.name) for step in self.steps]
        if self.exchange:
            exchanges.append(self.exchange)
        bindings = [*self._bindings()]
        bound = {binding.exchange for binding in bindings}
        # An exchange without a binding would return its messages as unroutable.
        last = [step.name for step in self.steps if output_exchange(step.name) not in bound]
        return Topology(
            queues=[queue for name in consumers for queue in _queues(name)]
            + [Queue(end_queue(name), keep=False) for name in last],
            exchanges=exchanges,
            bindings=bindings
            + [Binding(output_exchange(name), end_queue(name), "#") for name in last],
        )

    def _check(self) -> None:
        names = [step.name for step in self.steps]
        if len(set(names)) != len(names):
            raise ConfigurationError(f"pipeline {self.name}: a step's name is there twice")
        for step in self.steps:
            if unknown := set(step.to) - set(names):
                raise ConfigurationError(
                    f"pipeline {self.name}: {step.name} sends to unknown {sorted(unknown)}"
                )
            if step.listen and not self.exchange:
                raise ConfigurationError(
                    f"pipeline {self.name}: {step.name} listens, but the pipeline has no exchange"
                )

    def _bindings(self) -> Iterator[Binding]:
        for step in self.steps:
            for target in step.to:
                # All keys: a story may travel with any, and one that no queue takes is an error.
                yield Binding(output_exchange(step.name), input_queue(target), "#")
            for key in step.listen:
                yield Binding(self.exchange, input_queue(step.name), key)
                for source in self.steps:
                    # A step never receives its own output: the message would loop.
                    if source is not step:
                        yield Binding(output_exchange(source.name), input_queue(step.name), key)


def union(pipelines: Sequence[Pipeline]) -> Pipeline:
    """One pipeline with the steps of several; a step that they share is in it once.

    Outputs are joined. Of a setting that several pipelines have, the first one's value counts.
    """
    steps: dict[str, Step] = {}
    for step in (step for pipeline in pipelines for step in pipeline.steps):
        known = steps.get(step.name)
        targets = dict.fromkeys((*known.to, *step.to)) if known else step.to
        steps[step.name] = replace(step, to=list(targets))
    first = pipelines[0]
    settings = {k: v for p in reversed(pipelines) for k, v in p.environment.items()}
    order = sorted(steps.values(), key=lambda step: _rank(step, pipelines))
    name = "+".join(pipeline.name for pipeline in pipelines)
    return replace(first, name=name, steps=order, environment=settings)


def _rank(step: Step, pipelines: Sequence[Pipeline]) -> int:
    """The position of a step in the flow, counted from the end, as pipelines share their ends."""
    names = [[s.name for s in pipeline.steps] for pipeline in pipelines]
    return min(row.index(step.name) - len(row) for row in names if step.name in row)


def _queues(step: str) -> list[Queue]:
    """The queues of a consuming step. Any step may retry (stories.md 3.5)."""
    return [
        Queue(input_queue(step), dead_letter=quarantine_queue(step)),
        Queue(quarantine_queue(step)),
        Queue(delay_queue(step), dead_letter=input_queue(step)),
        Queue(fast_queue(step), dead_letter=input_queue(step)),
    ]


def matches(pattern: str, key: str) -> bool:
    """Whether a topic binding's pattern matches a routing key (AMQP 0-9-1, 3.1.3.3)."""
    return _match(_words(pattern), _words(key))


def _words(text: str) -> list[str]:
    """The words of a key. As in RabbitMQ, an empty key has no word: `*` doesn't match it."""
    return text.split(".") if text else []


def _match(pattern: Sequence[str], words: Sequence[str]) -> bool:
    if not pattern:
        return not words
    if pattern[0] == "#":
        return any(_match(pattern[1:], words[start:]) for start in range(len(words) + 1))
    return bool(words) and pattern[0] in ("*", words[0]) and _match(pattern[1:], words[1:])
