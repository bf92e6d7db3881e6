"""The request for a run, and the plan that is made of it: programs, inputs and settings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from indexer.broker import Broker, open_broker
from indexer.commands.running.choice import Choice
from indexer.errors import AccessDenied, ConfigurationError
from indexer.files.locks import try_lock
from indexer.messages.topology import (
    Pipeline,
    Topology,
    delay_queue,
    fast_queue,
    input_queue,
    union,
)
from indexer.running.supervisor import RunPlan, left
from indexer.search import open_index
from indexer.system.options import environment
from pipeline import PIPELINES, flavor
from workers.stories.archiver import ArchiverOptions, archive_stores

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
}
"""The sample newsroom is on this machine: politeness would only cost time."""

BREADCRUMBS = "BREADCRUMB_EXCHANGE"
UPDATES = "IMPORTER_UPDATE"
"""The setting of a flavor that changes what is indexed."""

DIFFERENCES = "IMPORTER_DIFFERENCES"
"""The setting of the directory where such a flavor reports the changes."""


@dataclass
class RunRequest:
    """A request for a run. Blank URLs mean: in the data directory."""

    inputs: Sequence[str] = ()
    type: str = ""
    data: Path = Path("data")
    broker: str = ""
    index: str = ""
    archives: Sequence[str] = ()
    replicas: Mapping[str, int] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    force: bool = False
    dry_run: bool = False
    started: str = field(default_factory=lambda: f"{datetime.now(UTC):%Y%m%d%H%M%S}")

    @property
    def wants_sample(self) -> bool:
        """Whether the sample newsroom is read: neither inputs nor a flavor were named."""
        return not self.inputs and not self.type


def given_to_programs(request: RunRequest, defaults: Mapping[str, str]) -> dict[str, str]:
    """Return the programs' environment: defaults, then our environment, then the request."""
    data = request.data
    requested = {
        "DATAROOT": str(data),
        "BROKER_URL": request.broker or f"sqlite:///{data / 'queues.sqlite3'}",
        "INDEX_URL": request.index or f"sqlite:///{data / 'index.sqlite3'}",
        "ARCHIVE_URL": " ".join(request.archives) or str(data / "archive"),
        **request.settings,
    }
    if request.dry_run:
        requested["IMPORTER_DRY_RUN"] = "true"
    outside = {name: value for name, value in environment().items() if value}
    given = {**defaults, **outside, **requested}
    # A run makes its queues itself; its programs can't all serve metrics at one port.
    given.pop("DEPLOYMENT_ID", None)
    given.pop("TEST_FILE_PREFIX", None)
    if address := given.get("METRICS_ADDRESS"):
        given["METRICS_ADDRESS"] = f"{address.rpartition(':')[0]}:0"
    return given


def pairs(name: str, items: Sequence[str]) -> dict[str, str]:
    """Read the values of an option, NAME=VALUE each. Raises ConfigurationError."""
    found = {}
    for item in items:
        key, separator, value = item.partition("=")
        if not separator or not key:
            raise ConfigurationError(f"{name}: write it as NAME=VALUE")
        found[key] = value
    return found


def make_plan(request: RunRequest, chosen: Choice, given: Mapping[str, str]) -> RunPlan:
    """Make the plan of a run. Raises ConfigurationError: the flavor can't do what is requested."""
    pipeline = chosen.pipeline
    steps = {step.name for step in pipeline.steps}
    if unknown := set(request.replicas) - steps:
        raise ConfigurationError(f"--replicas: no {sorted(unknown)} in {sorted(steps)}")
    for step in pipeline.steps:
        if step.name in request.replicas and not pipeline.consumes(step):
            raise ConfigurationError(f"--replicas: {step.name} reads inputs: one is the limit")
    if request.dry_run and UPDATES not in pipeline.environment:
        raise ConfigurationError(
            "--dry-run is for `--type reparse`: it shows what would be updated"
        )
    settings = {**pipeline.environment, **given, "WATCH_QUEUES": " ".join(_watched(pipeline))}
    if UPDATES in pipeline.environment:
        settings.setdefault(DIFFERENCES, str(request.data / "differences" / request.started))
    directory = request.data / "logs"
    directory.mkdir(parents=True, exist_ok=True)
    # A dry run does not mark inputs as done, so it may read those that are.
    extra = ["--loop", *(["--force"] if request.force or request.dry_run else [])]
    arguments = {name: [*extra, *names] for name, names in chosen.arguments.items()}
    return RunPlan(pipeline, arguments, settings, directory, request.replicas)


NO_KEY = "is-it-there/"
"""A prefix of keys that no store has: listing them tells whether the store answers."""


def topologies(pipeline: Pipeline, breadcrumbs: str) -> list[Topology]:
    """Return the topologies of a pipeline and, if an exchange is named, of its breadcrumbs."""
    needed = [pipeline]
    if breadcrumbs:
        needed.append(replace(flavor("pipeview"), exchange=breadcrumbs))
    return [each.compile() for each in needed]


def check_backends(given: Mapping[str, str]) -> None:
    """Check that index and stores answer, before anything is queued.

    Raises ConfigurationError, SearchError, StorageError: once, instead of in each program's log.
    """
    index = open_index(given["INDEX_URL"])
    try:
        index.refresh()
    finally:
        index.close()
    for store in archive_stores(ArchiverOptions.of(given)).values():
        # Credentials that may only write are refused here: the store answers all the same.
        with suppress(AccessDenied):
            next(store.entries(NO_KEY), None)


def _watched(pipeline: Pipeline) -> list[str]:
    """Return the queues that hold producers back while they are full, delayed messages included."""
    steps = [step.name for step in pipeline.steps if pipeline.consumes(step)]
    return [make(name) for name in steps for make in (input_queue, fast_queue, delay_queue)]


def ensure_same_way(
    lock: TextIO, pipeline: Pipeline, left: Callable[[str], int], *, dry_run: bool = False
) -> None:
    """Write the flavor into `lock`, unless stories of an earlier run would now go elsewhere.

    Raises ConfigurationError: the earlier flavor would have archived waiting stories, say, or
    only previewed their changes.
    """
    lock.seek(0)
    noted = lock.read()
    earlier = [flavor(name) for name in noted.removesuffix(DRY).split("+") if name in _NAMES]
    if earlier:
        same = _treats(earlier[0]) == _treats(pipeline) and noted.endswith(DRY) == dry_run
        for step in union(earlier).steps:
            is_there = any(each.name == step.name for each in pipeline.steps)
            beyond = _beyond(pipeline, step.name) if is_there else None
            same_way = same and _beyond(union(earlier), step.name) == beyond
            if not same_way and left(step.name):
                raise ConfigurationError(_other_way(noted, step.name, left(step.name)))
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
def prepared_queues(
    plan: RunPlan, url: str, lock: TextIO, *, dry_run: bool = False
) -> Iterator[Broker]:
    """Open the broker of a run, and declare its queues. Raises ConfigurationError, BrokerError."""
    with closing(open_broker(url)) as broker:
        ensure_same_way(lock, plan.pipeline, lambda step: left(broker, step), dry_run=dry_run)
        for topology in topologies(plan.pipeline, plan.environment.get(BREADCRUMBS, "")):
            broker.declare(topology)
        yield broker


DRY = " --dry-run"

FOLLOW = "follow"
"""The flavor that has a command of its own."""

_NAMES = {pipeline.name for pipeline in PIPELINES}


def _treats(pipeline: Pipeline) -> str:
    """Return how the importer treats stories that are indexed already."""
    return pipeline.environment.get(UPDATES, "")


def _beyond(pipeline: Pipeline, step: str) -> set[str]:
    """Return the steps that come after a step."""
    to = {each.name: each.to for each in pipeline.steps}
    found: set[str] = set()
    todo = [*to.get(step, ())]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += to.get(name, ())
    return found


def _other_way(noted: str, step: str, count: int) -> str:
    again = "story-indexer follow" if noted == FOLLOW else f"--type {noted.replace('+', ' and ')}"
    return (
        f"{count} stories of an earlier run wait for the {step}, and this run would process them "
        f"differently: finish that run first ({again}), drop them "
        f"(qutil purge {input_queue(step)}), or give another --data"
    )
