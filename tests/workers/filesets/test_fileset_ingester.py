"""The ingester: each request has one result, at once or after a bounded number of tries."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest

from indexer.errors import Retry
from indexer.filesets.ingest.ingester import Ingester
from indexer.filesets.landing.resource import Resource
from indexer.filesets.messages import RequestMessage, ResultMessage
from indexer.filesets.request import BadRequest, IngestRequest
from indexer.filesets.results.result import Ingest
from indexer.filesets.strategies.strategy import Watch
from indexer.jobs.job_state import JobState
from indexer.messages.job_worker import Job
from indexer.messages.worker import Done
from tests.each_row import each_row
from workers.filesets.fileset_ingester import FilesetIngester, FilesetIngesterOptions

REQUEST = IngestRequest.of({"ingest_type": "dataset", "base_url": "https://a.example/1"})


class Ending:
    """An ingester whose ingests all end in one way."""

    def __init__(self, status: str, wait: float | None = None, page: int = 0) -> None:
        self._given = (status, wait, page)

    def ingest(self, request: IngestRequest, watch: Watch) -> Ingest:
        status, wait, page = self._given
        ingest = Ingest(request.given, request.base_url).fail(status, "why", wait)
        ingest.resource = Resource([], "", "", page)
        return ingest


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[FilesetIngester]:
    options = FilesetIngesterOptions.of({"DATAROOT": str(tmp_path), "MAX_RETRIES": "5"})
    with closing(FilesetIngester(options)) as made:
        yield made


def job(request: IngestRequest | BadRequest = REQUEST, **more: Any) -> Job[RequestMessage, Any]:
    return Job("7", RequestMessage(request, "7"), **more)


def end(worker: FilesetIngester, job: Job[RequestMessage, Any]) -> Done[ResultMessage]:
    """The result of a job without checkpoints."""
    with pytest.raises(StopIteration) as ended:
        next(worker.run(job))
    return cast(Done[ResultMessage], ended.value.value)


@each_row(
    ("status", "page", "tries"),
    (
        ("platform-scope", 0, 0),
        ("platform-error", 0, 3),
        ("platform-rate-limited", 0, 5),  # the class has ten, the operator wants five
        ("spn2-backoff", 0, 5),
        ("error-archiveorg-upload", 0, 5),
        ("terminal-bad-status", 404, 0),
        ("terminal-bad-status", 503, 3),
        ("internal-error", 0, 0),
    ),
)
def test_a_status_that_may_pass_is_tried_again_and_then_the_result(
    worker: FilesetIngester, status: str, page: int, tries: int
) -> None:
    worker._ingester = cast(Ingester, Ending(status, 42.0, page))
    for retries in range(tries):
        with pytest.raises(Retry, match=status) as again:
            next(worker.run(job(retries=retries)))
        assert again.value.delay == 42.0
    done = end(worker, job(retries=tries))
    assert done.status == status
    (result,) = done.outputs
    assert result.key == "ingest-fileset-results"
    assert (result.result["status"], result.result["ingest_id"]) == (status, "7")


def test_a_bad_request_has_a_result(worker: FilesetIngester) -> None:
    done = end(worker, job(BadRequest("not JSON", {"line": "junk"})))
    (result,) = done.outputs
    assert result.result["status"] == done.status == "bad-request"
    assert result.result["request"] == {"line": "junk"}
    assert result.result["error_message"] == "not JSON"


def test_a_second_message_is_answered_when_the_first_has_its_result(
    worker: FilesetIngester,
) -> None:
    assert worker.repeated(job(state=JobState.RUNNING)) == ()
    (result,) = worker.repeated(job(state=JobState.DONE))
    assert (result.result["status"], result.result["hit"]) == ("existing", False)
