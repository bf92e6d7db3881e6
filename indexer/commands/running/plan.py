"""The plan of a run, made of its request: programs, inputs and settings."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TextIO

from indexer.broker import Broker
from indexer.commands.running.choice import Choice
from indexer.commands.running.places import overridden
from indexer.commands.running.request import RunRequest
from indexer.commands.running.topologies import BREADCRUMBS, topologies
from indexer.errors import ConfigurationError
from indexer.files.locks import try_lock
from indexer.messages.pipelines import Pipeline, Step, union
from indexer.messages.topology import waiting_queues
from indexer.programs.settings import BrokerOptions
from indexer.running.supervisor import RunPlan, left
from indexer.system.options import environment, variable
from pipeline import PIPELINES

LAPTOP = {
    "MAX_RETRIES": "3",
    "RETRY_DELAY_MINUTES": "0.5",
    "REQUEUE_DELAY_SECONDS": "10",
    "MIN_DISK_FREE": "1",
    "FETCHER_CONN_RETRY_MINUTES": "0.25",
}
"""Settings of a run that a person waits for. The programs' own default, an hour between two
attempts, is for a system that never ends."""

SAMPLE = {
    "RETRY_DELAY_MINUTES": "0.02",
    "REQUEUE_DELAY_SECONDS": "1",
    "FETCHER_MIN_INTERVAL_SECONDS": "0.05",
    "FETCHER_CONN_RETRY_MINUTES": "0.01",
    "FETCHER_REMEMBER_SITES": "false",
    "FETCHER_ALLOW_ADDRESS": "127.0.0.0/8",
    "FETCHER_CONTACT_URL": "https://newsroom.example/",
}
"""The sample newsroom is on this machine: politeness would only cost time."""


def given_to_programs(request: RunRequest, defaults: Mapping[str, str]) -> dict[str, str]:
    """Return the programs' environment: defaults, then our environment, then the request."""
    requested = {
        "DATAROOT": str(request.data),
        "BROKER_URL": request.broker,
        "INDEX_URL": request.index,
        "ARCHIVE_URL": variable(request.archives),
        "FEEDS_DATABASE_URL": request.feeds,
    }
    given = {**defaults, **_not_blank(environment())}
    given = overridden(overridden(given, _not_blank(requested)), request.settings)
    # A run makes its queues itself; its programs can't all serve metrics at one port.
    given.pop("DEPLOYMENT_ID", None)
    given.pop("TEST_FILE_PREFIX", None)
    if address := given.get("METRICS_ADDRESS"):
        given["METRICS_ADDRESS"] = f"{address.rpartition(':')[0]}:0"
    return given


def _not_blank(variables: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in variables.items() if value}


def make_plan(request: RunRequest, chosen: Choice, given: Mapping[str, str]) -> RunPlan:
    """Make the plan of a run. Raises ConfigurationError: the flavor can't do what is requested."""
    pipeline = chosen.pipeline
    steps = {step.name for step in pipeline.steps}
    if unknown := set(request.replicas) - steps:
        raise ConfigurationError(f"--replicas: no {sorted(unknown)} in {sorted(steps)}")
    for step in pipeline.steps:
        if step.name in request.replicas and not pipeline.consumes(step):
            raise ConfigurationError(f"--replicas: {step.name} reads inputs: one is the limit")
    if request.dry_run and not pipeline.dry_run:
        others = " or ".join(f"`--type {each.name}`" for each in PIPELINES if each.dry_run)
        raise ConfigurationError(f"--dry-run is for {others}: it shows what would be updated")
    settings = {**pipeline.environment, **given, "WATCH_QUEUES": variable(_watched(pipeline))}
    if request.dry_run:
        settings[pipeline.dry_run] = "true"
    for setting, name in pipeline.reports.items():
        settings.setdefault(setting, str(request.data / name / request.started))
    directory = request.data / "logs"
    directory.mkdir(parents=True, exist_ok=True)
    # A dry run does not mark inputs as done, so it may read those that are.
    extra = ["--loop", *(["--force"] if request.force or request.dry_run else [])]
    arguments = {name: [*extra, *names] for name, names in chosen.arguments.items()}
    return RunPlan(pipeline, arguments, settings, directory, request.replicas)


def _watched(pipeline: Pipeline) -> list[str]:
    """Return the queues that hold producers back while they are full, delayed messages included."""
    return [
        queue for step in pipeline.consumers for queue in (step.input, *waiting_queues(step.name))
    ]


def ensure_same_way(
    lock: TextIO, pipeline: Pipeline, left: Callable[[Step], int], *, dry_run: bool = False
) -> None:
    """Write the flavor into `lock`, unless messages of an earlier run would now go elsewhere.

    Raises ConfigurationError: the earlier flavor would have sent waiting messages to other steps,
    say, or only previewed their changes.
    """
    lock.seek(0)
    noted = lock.read()
    names = noted.removesuffix(DRY).split("+")
    if known := [each for each in PIPELINES if each.name in names]:
        earlier = union(known)
        same = noted.endswith(DRY) == dry_run
        for step in earlier.steps:
            same_way = same and _way(earlier, step.name) == _way(pipeline, step.name)
            if not same_way and left(step):
                raise ConfigurationError(_other_way(noted, earlier, step, left(step)))
    lock.seek(0)
    lock.truncate()
    lock.write(pipeline.name + (DRY if dry_run else ""))
    lock.flush()


@contextmanager
def alone(data: Path) -> Iterator[TextIO]:
    """Keep other runs out of a data directory; gives the lock file, which names the last flavor."""
    path = data / "run.lock"
    try:
        data.mkdir(parents=True, exist_ok=True)
        lock = try_lock(path)
    except OSError as error:
        raise ConfigurationError(f"--data {data}: {error.strerror}") from error
    if lock is None:
        raise ConfigurationError(
            f"another run is using {data}: wait for it, or give another --data"
        )
    # Opened only now: an earlier run writes its flavor into the file.
    with closing(lock), path.open("a+") as file:
        yield file


@contextmanager
def prepared_queues(plan: RunPlan, lock: TextIO, *, dry_run: bool = False) -> Iterator[Broker]:
    """Open the broker of a run, declare its queues, and note the steps with unfinished messages.

    Raises ConfigurationError, BrokerError.
    """
    with BrokerOptions.of(plan.environment).opened() as broker:
        ensure_same_way(lock, plan.pipeline, lambda step: left(broker, step), dry_run=dry_run)
        for topology in topologies(plan.pipeline, plan.environment.get(BREADCRUMBS, "")):
            broker.declare(topology)
        plan.unfinished = {step.name for step in plan.pipeline.consumers if left(broker, step)}
        yield broker


DRY = " --dry-run"

FOLLOW = "follow"
"""The flavor that has a command of its own."""


def _way(pipeline: Pipeline, name: str) -> dict[str, Mapping[str, str]]:
    """Return the steps that a message passes from a step on, and their settings."""
    passed = {name, *pipeline.beyond(name)}
    return {step.name: step.settings for step in pipeline.steps if step.name in passed}


def _other_way(noted: str, earlier: Pipeline, step: Step, count: int) -> str:
    again = earlier.command or f"--type {noted.replace('+', ' and ')}"
    return (
        f"{count} messages of an earlier run wait for the {step.name}, and this run would process "
        f"them differently: finish that run first ({again}), drop them "
        f"(qutil purge {step.input}), or give another --data"
    )
