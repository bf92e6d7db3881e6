"""An ingest in steps: a checkpoint when a file begins, an end when it is to stop."""

import threading
from collections.abc import Callable
from typing import cast

import pytest

from indexer.errors import JobInterrupted, JobLost
from indexer.filesets.ingest.ingester import Ingester
from indexer.filesets.ingest.steps import FilesDone, Steps, in_steps
from indexer.filesets.request import IngestRequest
from indexer.filesets.results.result import Ingest
from indexer.filesets.strategies.strategy import FileProgress, Watch

REQUEST = IngestRequest.of({"ingest_type": "dataset", "base_url": "https://a.example/1"})


class Files:
    """An ingester of datasets with three files, of ten pieces each."""

    def __init__(self, before: Callable[[int], None] = lambda _: None) -> None:
        self.before = before
        self.has_ended = threading.Event()

    def ingest(self, request: IngestRequest, watch: Watch) -> Ingest:
        try:
            for number in (1, 2, 3):
                self.before(number)
                for piece in range(10):
                    watch(FileProgress(number, 3, "a", piece, 10))
        finally:
            self.has_ended.set()
        return Ingest(request.given, status="success")


def steps(files: Files, stopping: threading.Event | None = None) -> Steps:
    return in_steps(cast(Ingester, files), REQUEST, stopping or threading.Event())


def test_each_file_is_a_checkpoint_and_the_result_comes_at_the_end() -> None:
    run = steps(Files())
    seen = [next(run).progress for _ in range(3)]
    with pytest.raises(StopIteration) as ended:
        next(run)
    assert ended.value.value.status == "success"
    assert seen == [FilesDone(0, 3), FilesDone(1, 3), FilesDone(2, 3)]


def test_a_job_that_is_to_stop_ends_its_transfer_and_keeps_its_progress() -> None:
    stopping = threading.Event()
    files = Files(lambda number: stopping.set() if number == 2 else None)
    run = steps(files, stopping)
    assert [next(run).progress, next(run).progress] == [FilesDone(0, 3)] * 2
    with pytest.raises(JobInterrupted):
        next(run)


def test_a_job_that_is_lost_works_no_more_when_its_generator_has_ended() -> None:
    lost = threading.Event()
    files = Files(lambda number: cast(None, lost.wait() if number == 2 else None))
    run = steps(files)
    next(run)
    threading.Timer(0, lost.set).start()
    with pytest.raises(JobLost):
        run.throw(JobLost("1"))
    assert files.has_ended.is_set()


def test_an_error_of_the_ingest_is_that_of_the_job() -> None:
    def fail(_: int) -> None:
        raise ValueError("bug")

    with pytest.raises(ValueError, match="bug"):
        next(steps(Files(fail)))
