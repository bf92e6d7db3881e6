"""Every exception of the library, in one tree.

StoryIndexerError
├── ConfigurationError      a bad option, URL or environment: the text says what to change
│   ├── NotTakenOver        the database of an existing rss-fetcher
│   └── MappingConflict     two packages declare a mapping of metadata of one name
├── BrokerError             the broker is gone or has refused: ends the process, loses nothing
│   └── Unroutable          a message that no queue would have received
├── StorageError            a blobstore or a database failed
│   ├── RefusedValue        a working database refuses a value
│   ├── NotFound            no such key
│   └── AccessDenied        the credentials lack a permission
├── SearchError             the search index is unreachable or failed as a whole
│   ├── NoIndex             the search index was never made
│   └── QueryError          a query with a syntax error
├── InputError              an input that cannot be opened or read
│   ├── BadFeed             a document that is not a feed
│   ├── UnreadableManifest  a file that is not in the syntax of its format
│   └── UnreadInputs        inputs of a producer: `reasons` has one for each
├── FilesetError            a fileset that is not archived: `status` has the reason
├── DuplicateId             two rows of one call have the same key
├── DecodeError             bytes that are not a payload
├── ArchiveError            a damaged WARC file
├── FetchError              a URL that could not be fetched: `status` has the kind of failure
│   ├── AddressRefused      its address must not be visited
│   ├── BadURL              a URL that can't be fetched
│   ├── BadResponse         the server's response is invalid or incomplete
│   ├── TooLarge            the body is above the limit
│   └── TooManyRedirects
├── UnreachableServer       a server that a program needs accepts no connections
├── SwarmError              Docker, or a stack in its swarm, failed
├── ProgramFailed           a program of a run failed again and again
├── SandboxError            a sandboxed process returned no result: `reason` has the cause
├── Stopped                 not an error: thrown into a producer whose run ends early
├── JobInterrupted          not an error: thrown into a job at a checkpoint
│   ├── JobStopped          a person or a message wants the job to end
│   ├── JobCancelled        a person or a message wants the job to be given up
│   ├── JobPaused           the program ends: the job goes on in another one
│   └── JobLost             another process has taken the job over
└── Disposition             not an error: ends the handling of one message early
    ├── Discard             drop the message
    ├── Retry               handle it again later, a limited number of times
    ├── Requeue             handle it again soon, without a limit
    └── Quarantine          keep it for an operator
"""

from collections.abc import Sequence
from typing import Any

MAX_REASONS = 10
"""The most reasons in the text of one error."""


class StoryIndexerError(Exception):
    """The root of all errors; its text is one line for a person."""


class ConfigurationError(StoryIndexerError):
    """A bad option, URL or environment; the text says what to change."""


class NotTakenOver(ConfigurationError):
    """The database is that of an existing rss-fetcher, which `feeds take-over` makes ours."""


class MappingConflict(ConfigurationError, OSError):
    """Two packages declare a mapping of one name (an EnvironmentError: spec 9.3)."""


class BrokerError(StoryIndexerError):
    """The broker is gone or has refused. Ends the process; unsettled messages come back."""


class Unroutable(BrokerError):
    """A published message that no queue would have received."""


class StorageError(StoryIndexerError):
    """A blobstore or a database failed; a retry may succeed."""


class RefusedValue(StorageError):
    """A database refuses a value; a retry would fail again."""


class NotFound(StorageError):
    """No object has that key."""


class AccessDenied(StorageError):
    """The credentials lack a permission."""


class SearchError(StoryIndexerError):
    """The search index is unreachable, or failed as a whole."""


class NoIndex(SearchError):
    """The search index does not exist: nothing was added yet, or its URL is wrong."""


class QueryError(SearchError):
    """A query with a syntax error; `position` is the place in the text, if known."""

    def __init__(self, why: str, position: int | None = None) -> None:
        super().__init__(why if position is None else f"{why}, at character {position + 1}")
        self.why = why
        self.position = position


class InputError(StoryIndexerError):
    """An input that cannot be opened or read."""


class BadFeed(InputError):
    """A document that is not a feed; `detail` is the reason in the words of feeds.md 7.4.

    `root` is the name of its root element, if it has one.
    """

    def __init__(self, detail: str, root: str = "") -> None:
        super().__init__(f"{detail}: {root}" if root else detail)
        self.detail = detail
        self.root = root


class UnreadableManifest(InputError):
    """A file of metadata that is not in the syntax of its format."""


class UnreadInputs(InputError):
    """Inputs that a producer could not read; `reasons` has an error message for each."""

    def __init__(self, reasons: Sequence[str]) -> None:
        self.reasons = list(reasons)
        more = len(self.reasons) - MAX_REASONS
        rest = f"; and {more} more" if more > 0 else ""
        super().__init__(f"inputs failed: {'; '.join(self.reasons[:MAX_REASONS])}{rest}")


class FilesetError(StoryIndexerError):
    """A fileset is not archived: `status` is one of `indexer.filesets.statuses`.

    `wait` is the time in seconds that a server has named for the next try.
    """

    def __init__(self, status: str, why: str = "", wait: float | None = None) -> None:
        super().__init__(f"{status}: {why}" if why else status)
        self.status = status
        self.why = why
        self.wait = wait


class DuplicateId(StoryIndexerError):
    """Two rows of one call have the same key; none is stored."""


class DecodeError(StoryIndexerError):
    """Bytes that are not a payload of the kind expected."""


class ArchiveError(StoryIndexerError):
    """A damaged WARC file."""


class UnreachableServer(StoryIndexerError):
    """A server that a program needs accepts no connections, although it had time to start."""


class SwarmError(StoryIndexerError):
    """Docker refused something, or a stack did not become what it was told to be."""


class ProgramFailed(StoryIndexerError):
    """A program of a run failed again and again; the text has its name and the end of its log."""


class FetchError(StoryIndexerError):
    """A URL could not be fetched. `status` is the slug of `docs/statuses.md`.

    `failure` is the part of fetching that failed: a `FetchFailure` of `indexer.http.fetching`.
    """

    status = "noconn"
    failure = "other"

    def __init__(self, message: str, status: str = "", failure: str = "") -> None:
        super().__init__(message)
        self.status = status or self.status
        self.failure = failure or self.failure


class AddressRefused(FetchError):
    """The URL's address must not be visited: private, loopback, link-local…"""

    status = "bad-host"
    failure = "address"


class BadURL(FetchError):
    """A URL that can't be fetched."""

    status = "badurl2"
    failure = "URL"


class BadResponse(FetchError):
    """The server's response is invalid HTTP, or incomplete. A retry may succeed."""

    failure = "body"


class TooLarge(FetchError):
    """The body is larger than the limit."""

    status = "oversized"
    failure = "size"


class TooManyRedirects(FetchError):
    """More redirects than the limit, or a loop."""

    status = "maxredir"
    failure = "redirects"


class SandboxError(StoryIndexerError):
    """A sandboxed function returned no result.

    `reason` is timeout, memory, crash or error. It is killed or start if the request is not the
    cause: the process was killed from outside, or none could be started.
    """

    def __init__(self, reason: str, why: str) -> None:
        super().__init__(f"{reason}: {why}")
        self.reason = reason
        self.why = why


class Stopped(StoryIndexerError):
    """Thrown into a producer's generator when its run ends early, and cleanly.

    All items that the generator has yielded are in the queue, so it can record its progress. If it
    is closed in any other way, they may not be.
    """


class JobInterrupted(StoryIndexerError):
    """Thrown into the generator of a job, at the checkpoint that it has yielded last."""


class JobStopped(JobInterrupted):
    """The job is to end: what it yields and returns from here on is its ending.

    If the generator does not catch it, the job ends with the status `stopped`.
    """


class JobCancelled(JobInterrupted):
    """The job is given up: the generator may yield the outputs of its cleanup.

    However the generator ends, the job ends with the status `cancelled`.
    """


class JobPaused(JobInterrupted):
    """The program ends: another one resumes the job from its last checkpoint.

    The generator may yield a checkpoint, and must raise it again, unless it ends the job here.
    """


class JobLost(JobInterrupted):
    """Another process has taken the job over: nothing of this run is stored any more."""


class Disposition(StoryIndexerError):
    """Ends the handling of one message early. `status` is a slug, the label of the metric."""

    def __init__(self, status: str, why: str = "") -> None:
        super().__init__(f"{status}: {why}" if why else status)
        self.status = status
        self.why = why


class Discard(Disposition):
    """Drop the message, for good. `outputs` are sent on: payloads that say what was dropped."""

    def __init__(self, status: str, why: str = "", outputs: Sequence[Any] = ()) -> None:
        super().__init__(status, why)
        self.outputs = outputs


class Quarantine(Disposition):
    """Keep the message in the quarantine, with the reason, for an operator."""


class Retry(Disposition):
    """Handle the message again after the worker's retry delay, a limited number of times.

    `delay` is a wait in seconds that a server has named (Retry-After). The message waits that long,
    but at most the retry delay: the worker's `hold` requeues a message that is still too early.
    When no retries are left, the message is dropped if `drop` is true, and quarantined otherwise
    (stories.md 3.4: failures of the network need no operator).
    `most` is a lower limit of retries than the worker's; retries for other reasons count, too.
    """

    def __init__(
        self,
        status: str,
        why: str = "",
        *,
        drop: bool = False,
        delay: float | None = None,
        most: int | None = None,
    ) -> None:
        super().__init__(status, why)
        self.drop = drop
        self.delay = delay
        self.most = most


class Requeue(Disposition):
    """Handle the message again after the worker's requeue delay; this doesn't count as a retry.

    `delay` is a wait in seconds, as for `Retry`. The headers stay as they are.
    """

    def __init__(self, status: str, why: str = "", *, delay: float | None = None) -> None:
        super().__init__(status, why)
        self.delay = delay
