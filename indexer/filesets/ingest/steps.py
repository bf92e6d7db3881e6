"""An ingest as a generator, which yields when a file begins: the loop of jobs wants checkpoints."""

import threading
from collections.abc import Generator
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Final

import msgspec

from indexer.errors import JobInterrupted
from indexer.filesets.ingest.ingester import Ingester
from indexer.filesets.messages import ResultMessage
from indexer.filesets.request import IngestRequest
from indexer.filesets.results.result import Ingest
from indexer.filesets.strategies.strategy import FileProgress
from indexer.messages.job_worker import Checkpoint


class FilesDone(msgspec.Struct, frozen=True):
    """The progress of an ingest, for operators: the files themselves are in a working directory."""

    done: int
    files: int


Steps = Generator[Checkpoint[FilesDone, ResultMessage], object, Ingest]


def in_steps(ingester: Ingester, request: IngestRequest, stopping: threading.Event) -> Steps:
    """Ingest a dataset in a thread of its own, yield when a file begins, and return the result.

    If `stopping` is set during a transfer, the transfer ends, a last progress is yielded, and
    JobInterrupted is raised, unless the caller has thrown another exception into the generator.
    """
    run = _Run(ingester, request, stopping)
    # Daemon: a server that doesn't answer must not keep a program alive that has failed.
    thread = threading.Thread(target=run.work, daemon=True)
    thread.start()
    try:
        while (begun := run.begun.get()) is not None:
            run.last = begun
            yield Checkpoint(begun)
    finally:
        run.is_abandoned = True
        thread.join()
    if isinstance(run.ended.exception(), JobInterrupted):
        yield Checkpoint(run.last)
    return run.ended.result()


class _Run:
    """The ingest in its thread."""

    def __init__(
        self, ingester: Ingester, request: IngestRequest, stopping: threading.Event
    ) -> None:
        self.begun: SimpleQueue[FilesDone | None] = SimpleQueue()
        self.ended: Future[Ingest] = Future()
        self.last = _NONE
        self.is_abandoned = False
        self._ingester = ingester
        self._request = request
        self._stopping = stopping
        self._number = 0

    def work(self) -> None:
        try:
            self.ended.set_result(self._ingester.ingest(self._request, self._watch))
        except BaseException as error:  # noqa: BLE001 - the generator raises it
            self.ended.set_exception(error)
        self.begun.put(None)

    def _watch(self, at: FileProgress) -> None:
        if self.is_abandoned or self._stopping.is_set():
            raise JobInterrupted("the job is to stop")
        if at.number != self._number:
            self._number = at.number
            self.begun.put(FilesDone(at.number - 1, at.files))


_NONE: Final = FilesDone(0, 0)
