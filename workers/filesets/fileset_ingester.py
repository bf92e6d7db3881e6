"""Archives datasets: every file, verified, as an item in a directory or a bucket.

Each request is a job (docs/operations/jobs.md): it survives the program, any ingester with the same
database of jobs goes on with it, and files in transfer go on where they were if it has the same
working directory. An ingest that may succeed later is tried again; then its result has the status
of the last try. Results have a key `ingest_id`: a result that is sent twice has the same one.

FILESETS_S3_ENDPOINT, FILESETS_S3_ACCESS_KEY_ID and FILESETS_S3_SECRET_ACCESS_KEY name a server for
s3:// and its credentials.

statuses:
  success, platform-scope, ...    those of results, see docs/filesets/README.md
  repeated    a second message for a request; if it has had its result, one with the status existing
  stopped     by an operator: without a result
  cancelled   by an operator: without a result

example:
  story-indexer program fileset-ingester --to s3://bucket/datasets --threads 4
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from indexer.errors import Retry
from indexer.filesets.ingest.opening import opened_ingester
from indexer.filesets.ingest.options import ArchivingOptions
from indexer.filesets.ingest.steps import FilesDone, in_steps
from indexer.filesets.items.options import ItemsOptions
from indexer.filesets.messages import ID, RequestMessage, ResultMessage
from indexer.filesets.request import BadRequest
from indexer.filesets.results.dated_lines import FILES, FILESETS
from indexer.filesets.results.result import Ingest, dataset_file_result, fileset_result
from indexer.filesets.statuses import retry_class
from indexer.jobs.job_state import JobState
from indexer.messages.job_worker import Job, JobSteps, JobWorker
from indexer.messages.worker import Done
from indexer.programs.app import WorkerOptions, run_job_worker

EXISTING = "existing"
REPEATED = "the request has had its result"


class FilesetIngesterOptions(ItemsOptions, ArchivingOptions, WorkerOptions):
    """Options of the ingester."""


class FilesetIngester(JobWorker[RequestMessage, ResultMessage, FilesDone]):
    """Ingests datasets. Thread-safe."""

    name = "fileset-ingester"
    takes = RequestMessage
    keeps = FilesDone
    retry_delay = 600.0

    def __init__(self, options: FilesetIngesterOptions) -> None:
        """Raises ConfigurationError."""
        self._stack = ExitStack()
        self._ingester = self._stack.enter_context(opened_ingester(options, options.items))
        given = options.max_retries
        self._most = self.max_retries if given is None else given

    def identity(self, payload: RequestMessage) -> str:
        """The id of the request."""
        return payload.id

    def repeated(self, job: Job[RequestMessage, FilesDone]) -> Sequence[ResultMessage]:
        """A result that says so, if the request has had its result; else that will come."""
        if job.state not in (JobState.DONE, JobState.DISCARDED):
            return ()
        return [*_results(Ingest(job.payload.given).fail(EXISTING, REPEATED), job.id)]

    def run(self, job: Job[RequestMessage, FilesDone]) -> JobSteps[FilesDone, ResultMessage]:
        """Ingest the dataset; a checkpoint when a file begins. Raises Retry."""
        request = job.payload.request
        if isinstance(request, BadRequest):
            ingest = Ingest(request.given).fail(request.status, request.why)
        else:
            ingest = yield from in_steps(self._ingester, request, job.stopping)
        self._check(ingest, job.retries)
        return Done([*_results(ingest, job.id)], ingest.status)

    def close(self) -> None:
        """Close the connections."""
        self._stack.close()

    def _check(self, ingest: Ingest, retries: int) -> None:
        """Raise Retry if the ingest may end otherwise later."""
        page = ingest.resource.status if ingest.resource else 0
        again = retry_class(ingest.status, page)
        if again is not None and retries < min(again.tries, self._most):
            raise Retry(ingest.status, f"{again.reason}: {ingest.message}", delay=ingest.wait)


def _results(ingest: Ingest, id: str) -> Iterator[ResultMessage]:
    """The results by topic; that of a single file comes first."""
    if of_file := dataset_file_result(ingest):
        yield ResultMessage({**of_file, ID: id}, FILES)
    yield ResultMessage({**fileset_result(ingest), ID: id}, FILESETS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_job_worker(FilesetIngester, FilesetIngesterOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
