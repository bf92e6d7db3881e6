"""Pipelines as data, and what they compile to.

    Pipeline("csv", [Step("csv-queuer", to=["fetcher"]), Step("fetcher", to=["parser"]), …])

A step's program publishes to `P-out` only, and knows nothing of its place. What becomes of its
output is bindings: to the queues of the steps in `to`, and for the keys that the step speaks to the
exchange of the pipeline, from which other steps get what they listen to.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from itertools import product

from indexer.errors import ConfigurationError
from indexer.messages.exchanges import Exchange
from indexer.messages.topics import ALL, overlap
from indexer.messages.topology import (
    Binding,
    Destination,
    Queue,
    Topology,
    end_queue,
    input_queue,
    instances_exchange,
    output_exchange,
    quarantine_queue,
    waiting_queues,
)
from indexer.system.options import is_on


@dataclass(frozen=True, slots=True)
class Step:
    """A program's place in a pipeline: its process name, and where its messages come from and go.

    `to` names the steps that get its output: all of it, or, in a mapping, the keys of each step. It
    gets the keys of the pipeline's exchange that it has in `listen`, and publishes there those in
    `speak`. Each of its running instances gets the keys in `instances`, in a queue of its own that
    expires (`instance_topology`). All keys are topic patterns.

    A step consumes messages if another step names it in `to`, or if it listens. `queue` is the name
    of its input queue, `P-in` by default; its other queues are named after the step. `program` is
    the module to run, `workers.<family>.<name>` by default.

    The rest is for runs on one machine. The first flavor with a producer that `reads` a kind of
    input is chosen for it. A producer with a `server` has no inputs: it queries the server whose
    URL this setting has. `settings` are those of the step in this flavor, which decide what it does
    with a message. `uses` names the settings with the URLs of its stores. `counts` is the word for
    its finished messages, `makes` the noun for its files. Each message of a run ends at the `goal`
    or before; the other steps work on messages that have ended. The program is started only if the
    setting `only_with` is on, without which the step gets no messages.
    """

    name: str
    to: Sequence[str] | Mapping[str, Sequence[str]] = ()
    listen: Sequence[str] = ()
    speak: Sequence[str] = ()
    instances: Sequence[str] = ()
    queue: str = ""
    program: str = ""
    reads: Sequence[str] = ()
    server: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    uses: Sequence[str] = ()
    counts: str = ""
    makes: str = ""
    goal: bool = False
    only_with: str = ""

    def is_used(self, settings: Mapping[str, str]) -> bool:
        """Whether the step gets messages, with these settings."""
        return not self.only_with or is_on(settings.get(self.only_with, ""))

    @property
    def input(self) -> str:
        """The name of the input queue."""
        return self.queue or input_queue(self.name)

    @property
    def targets(self) -> dict[str, Sequence[str]]:
        """The steps that get its output, and the keys of each."""
        # All keys: a message may travel with any, and one that no queue takes is an error.
        return dict(self.to) if isinstance(self.to, Mapping) else {name: [ALL] for name in self.to}


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A flavor: the steps of a family's pipeline, in the order of the flow.

    `family` is the folder under `workers/`. `exchange` is the one that steps speak on and listen
    to. `environment` holds the flavor's own defaults of settings.

    `command` runs the flavor in place of `story-indexer run`, as it never ends. `dry_run` is the
    setting with which it only shows what it would change; `reports` are the settings of directories
    for reports on that, and the directories' names.

    The rest is for swarms. The programs in `beside` run with the steps, and have no queues. `prod`
    has the numbers of containers in production, where they differ. The stack publishes its ports
    `ports` higher than the usual ones, so that several flavors fit on one machine.
    """

    name: str
    steps: Sequence[Step]
    family: str = ""
    exchange: Exchange | None = None
    about: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    command: str = ""
    dry_run: str = ""
    reports: Mapping[str, str] = field(default_factory=dict)
    beside: Sequence[Step] = ()
    prod: Mapping[str, int] = field(default_factory=dict)
    ports: int = 0

    @property
    def producers(self) -> list[Step]:
        """The steps that have no input queue."""
        return [step for step in self.steps if not self.consumes(step)]

    @property
    def consumers(self) -> list[Step]:
        """The steps that have an input queue."""
        return [step for step in self.steps if self.consumes(step)]

    @property
    def goal(self) -> Step:
        """The step where the messages of a run arrive: by default the last one."""
        return next((step for step in self.steps if step.goal), self.steps[-1])

    @property
    def counts(self) -> dict[str, list[str]]:
        """The words for finished messages, in the order of the flow, and the steps of each.

        A flavor whose steps have no words counts those that its goal has `done`.
        """
        words: dict[str, list[str]] = {}
        for step in self.steps:
            if step.counts:
                words.setdefault(step.counts, []).append(step.name)
        return words or {"done": [self.goal.name]}

    def beyond(self, name: str) -> set[str]:
        """The names of the steps that come after a step."""
        to = {step.name: step.targets for step in self.steps}
        found: set[str] = set()
        todo = [*to.get(name, ())]
        while todo:
            if (name := todo.pop()) not in found:
                found.add(name)
                todo += to.get(name, ())
        return found

    @property
    def aside(self) -> set[str]:
        """The names of the steps whose messages have ended already: they don't lead to the goal."""
        goal = self.goal
        if not goal.goal:
            return set()
        names = {step.name for step in self.steps} - {goal.name}
        return {name for name in names if goal.name not in self.beyond(name)}

    def program(self, step: Step) -> str:
        """The module of a step's program."""
        return step.program or f"workers.{self.family}.{step.name.replace('-', '_')}"

    def consumes(self, step: Step) -> bool:
        """Whether a step has an input queue."""
        return bool(step.listen) or any(step.name in other.to for other in self.steps)

    def compile(self) -> Topology:
        """The queues, exchanges and bindings of the pipeline. Raises ConfigurationError."""
        self._check()
        outputs = [output_exchange(step.name) for step in self.steps]
        own = [self.exchange.name] if self.exchange and not self.exchange.shared else []
        shared = [self.exchange.name] if self.exchange and self.exchange.shared else []
        bindings = [*self._bindings()]
        bound = {binding.exchange for binding in bindings}
        # An exchange without a binding would return its messages as unroutable.
        last = [step.name for step in self.steps if output_exchange(step.name) not in bound]
        return Topology(
            queues=[queue for s in self.steps if self.consumes(s) for queue in _queues(s)]
            + [Queue(end_queue(name), keep=False) for name in last],
            exchanges=[*outputs, *own],
            bindings=bindings
            + [Binding(output_exchange(name), end_queue(name), ALL) for name in last],
            shared=shared,
            instances=[instances_exchange(step.name) for step in self.steps if step.instances],
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
            if not self.exchange and (step.listen or step.speak or step.instances):
                verb = "speaks" if step.speak else "listens"
                raise ConfigurationError(
                    f"pipeline {self.name}: {step.name} {verb}, but the pipeline has no exchange"
                )
            if common := _said_and_heard(step):
                raise ConfigurationError(
                    f"pipeline {self.name}: {step.name} would get its own output: it "
                    f"speaks {common[0]} and listens to {common[1]}"
                )

    def _bindings(self) -> Iterator[Binding]:
        for step in self.steps:
            for target in self.steps:
                for key in step.targets.get(target.name, ()):
                    yield Binding(output_exchange(step.name), target.input, key)
            if self.exchange:
                yield from _exchange_bindings(step, self.exchange.name)


def _said_and_heard(step: Step) -> tuple[str, str] | None:
    """Two overlapping patterns: one that a step speaks and one that it hears. None: no two do."""
    # A step never receives its own output: the message would loop.
    pairs = product(step.speak, (*step.listen, *step.instances))
    return next((pair for pair in pairs if overlap(*pair)), None)


def _exchange_bindings(step: Step, exchange: str) -> Iterator[Binding]:
    """The bindings between a step and the exchange of its pipeline."""
    for key in step.listen:
        yield Binding(exchange, step.input, key)
    for key in step.instances:
        yield Binding(exchange, instances_exchange(step.name), key, Destination.EXCHANGE)
    for key in step.speak:
        yield Binding(output_exchange(step.name), exchange, key, Destination.EXCHANGE)


def union(pipelines: Sequence[Pipeline]) -> Pipeline:
    """One pipeline with the steps of several; a step that they share is in it once.

    Outputs are joined. Of a setting that several pipelines have, the first one's value counts.
    """
    steps: dict[str, Step] = {}
    for step in (step for pipeline in pipelines for step in pipeline.steps):
        known = steps.get(step.name, step).targets
        targets = {
            name: [*dict.fromkeys((*known.get(name, ()), *step.targets.get(name, ())))]
            for name in {**known, **step.targets}
        }
        steps[step.name] = replace(step, to=targets)
    first = pipelines[0]
    settings = {k: v for p in reversed(pipelines) for k, v in p.environment.items()}
    order = sorted(steps.values(), key=lambda step: _rank(step, pipelines))
    name = "+".join(pipeline.name for pipeline in pipelines)
    return replace(first, name=name, steps=order, environment=settings)


def flow(pipelines: Sequence[Pipeline]) -> list[str]:
    """The names of all steps, each before the steps that get its output.

    Raises ConfigurationError if there is no such order.
    """
    before: dict[str, list[str]] = {}
    for step in (step for pipeline in pipelines for step in pipeline.steps):
        before.setdefault(step.name, [])
        for target in step.targets:
            before.setdefault(target, []).append(step.name)
    try:
        return [*TopologicalSorter(before).static_order()]
    except CycleError as error:
        raise ConfigurationError(f"steps in a circle: {' → '.join(error.args[1])}") from error


def _rank(step: Step, pipelines: Sequence[Pipeline]) -> int:
    """The position of a step in the flow, counted from the end, as pipelines share their ends."""
    names = [[s.name for s in pipeline.steps] for pipeline in pipelines]
    return min(row.index(step.name) - len(row) for row in names if step.name in row)


def _queues(step: Step) -> list[Queue]:
    """The queues of a consuming step. Any step may retry (stories.md 3.5)."""
    return [
        Queue(step.input, dead_letter=quarantine_queue(step.name)),
        Queue(quarantine_queue(step.name)),
        *(Queue(name, dead_letter=step.input) for name in waiting_queues(step.name)),
    ]
