"""The family's pipeline as processes of their own, some of which are killed while they work."""

import json
import multiprocessing
import os
import random
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from importlib import import_module
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from indexer.broker import open_broker
from newsroom.repositories.server import Repositories
from pipeline import flavor
from tests.patience import PATIENCE

QUEUER, INGESTER, RESULTS = "fileset_queuer", "fileset_ingester", "fileset_results"

THREADS = 2
INGESTERS = 3
_LOOK = 0.02

SETTINGS = {
    "MIN_DISK_FREE": "0",
    "RETRY_DELAY_MINUTES": "0.01",
    "FETCHER_READ_TIMEOUT": str(PATIENCE),
    "FETCHER_TOTAL_TIMEOUT": str(PATIENCE),
    "FILESETS_API_TIMEOUT": str(PATIENCE),
    "FILESETS_LEAST_RATE": "0",
}
"""A busy machine with a full disk is no reason to wait, or to end otherwise."""

# Processes are forked from one that has no threads, and has imported the programs.
_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(
    [f"workers.filesets.{name}" for name in (QUEUER, INGESTER, RESULTS)]
    + [f"indexer.{name}" for name in ("blobstore.s3", "broker.rabbitmq.broker", "broker.sqlite")]
    + ["alembic.command", "boto3.session", "psycopg", "sqlalchemy.dialects.postgresql.psycopg"]
)


def _run(name: str, arguments: list[str], settings: Mapping[str, str], log: Path) -> None:
    """Run a program to its end, in a process of its own."""
    os.environ.update(settings)
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for output in (1, 2):
        os.dup2(file, output)
    os._exit(import_module(f"workers.filesets.{name}").main(arguments))


class Killed:
    """A pipeline whose programs are killed, and started again."""

    def __init__(self, data: Path, repositories: Repositories, settings: Mapping[str, str]) -> None:
        self.kills: list[str] = []
        self._data = data
        self._repositories = repositories
        self._settings = {**repositories.settings, **SETTINGS, **settings, "DATAROOT": str(data)}
        self._running: dict[str, ForkServerProcess] = {}
        with closing(open_broker(settings["BROKER_URL"])) as broker:
            broker.declare(flavor("filesets").compile())

    def ingest(self, requests: Path, count: int, kills: int, seed: int) -> list[dict[str, Any]]:
        """Ingest a list of `count` requests, with so many kills; the new results."""
        chance = random.Random(seed)
        before = len(self.results())
        # Moments are numbers of requests to the repositories: a loaded machine has the same ones.
        moments = sorted(chance.randrange(1, 5 * count) for _ in range(kills))
        self.kills.clear()
        with self._started(requests):
            deadline = time.monotonic() + PATIENCE
            while not self._is_done(before, count) or moments:
                assert time.monotonic() < deadline, (seed, self.kills, moments)
                is_late = self._is_done(before, count)
                # One at a time: there has to be one that is alive.
                if moments and (is_late or len(self._repositories.log.entries) >= moments[0]):
                    moments.pop(0)
                    self._kill(chance)
                self._start_again(requests)
                time.sleep(_LOOK)
        return self.results()[before:]

    def results(self) -> list[dict[str, Any]]:
        """The results that are kept."""
        found = sorted((self._data / "fileset-results").glob("ingest-fileset-results-*.jsonl"))
        lines = [line for path in found for line in path.read_bytes().splitlines(keepends=True)]
        return [json.loads(line) for line in lines if line.endswith(b"}\n")]

    @contextmanager
    def _started(self, requests: Path) -> Iterator[None]:
        names = [QUEUER, RESULTS, *(f"{INGESTER}-{number}" for number in range(INGESTERS))]
        for name in names:
            self._start(name, requests)
        try:
            yield
        finally:
            for process in self._running.values():
                process.terminate()
            for process in self._running.values():
                process.join(PATIENCE)
            self._running.clear()

    def _start(self, name: str, requests: Path) -> None:
        program, _, instance = name.partition("-")
        arguments = {
            QUEUER: ["--shuffle-batch-size=7", str(requests)],
            INGESTER: [f"--threads={THREADS}", f"--instance={instance}"],
            RESULTS: [],
        }[program]
        log = self._data / f"{name}.log"
        process = _forks.Process(target=_run, args=(program, arguments, self._settings, log))
        process.start()
        self._running[name] = process

    def _start_again(self, requests: Path) -> None:
        """Start the programs that have ended, unless it is the queuer, and its list is read."""
        for name, process in [*self._running.items()]:
            if process.exitcode is not None and (name != QUEUER or process.exitcode != 0):
                self._start(name, requests)

    def _kill(self, chance: random.Random) -> None:
        alive = [name for name, process in self._running.items() if process.is_alive()]
        name = chance.choice(alive)
        self._running[name].kill()
        self._running[name].join()
        self.kills.append(name)

    def _is_done(self, before: int, count: int) -> bool:
        ids = {result["ingest_id"] for result in self.results()[before:]}
        queuer = self._running[QUEUER]
        return len(ids) >= count and queuer.exitcode == 0
