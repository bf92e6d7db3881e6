"""Every exception of the library, in one tree.

StoryIndexerError
├── ConfigurationError      an option, a URL or an environment that cannot work: say what to do
├── BrokerError             the broker is gone or refused: ends the process, loses nothing
│   └── Unroutable          a message that no queue would have received
├── StorageError            a blobstore or a database failed
│   ├── RefusedValue        a database that works refuses what it is to hold
│   ├── NotFound            no such key
│   └── AccessDenied        these credentials may not do that
├── SearchError             the search index is unreachable or failed as a whole
│   └── QueryError          a query that cannot be read
├── InputError              an input that cannot be opened or read
│   └── BadFeed             a document that is no feed
├── DecodeError             bytes that are not a payload
├── ArchiveError            a WARC that is not sound
├── FetchError              a URL that could not be fetched: `status` says how
│   ├── AddressRefused      it leads to an address that must not be visited
│   ├── BadURL              not a URL that can be fetched
│   ├── BadResponse         the server answered, but not soundly or not to the end
│   ├── TooLarge            its body is above the limit
│   └── TooManyRedirects
├── ProgramFailed           a program of a run failed again and again
├── SandboxError            a process of ours gave no answer: `reason` says why
├── Stopped                 not an error: a producer is told that its run ends here
└── Disposition             not an error: how the handling of one message ended early
    ├── Discard             drop it
    ├── Retry               again later, a limited number of times
    ├── Requeue             again soon, as often as it takes
    └── Quarantine          set it aside for a person to look at
"""

from enum import StrEnum


class StoryIndexerError(Exception):
    """The root: catch it to report an error to a person in one line."""


class ConfigurationError(StoryIndexerError):
    """An option, URL or environment that cannot work; the text says what to do."""


class BrokerError(StoryIndexerError):
    """The broker is gone or refused. Ends the process; what was not settled comes back."""


class Unroutable(BrokerError):
    """A published message that no queue would have received."""


class StorageError(StoryIndexerError):
    """A blobstore or a database failed; the operation may be tried again."""


class RefusedValue(StorageError):
    """A database refuses a value: the same would be refused again."""


class NotFound(StorageError):
    """No object has that key."""


class AccessDenied(StorageError):
    """These credentials may not do that."""


class SearchError(StoryIndexerError):
    """The search index is unreachable, or failed as a whole."""


class QueryError(SearchError):
    """A query that cannot be read; at which of its characters, if that is known."""

    def __init__(self, why: str, position: int | None = None) -> None:
        super().__init__(why if position is None else f"{why}, at character {position + 1}")
        self.why = why
        self.position = position


class InputError(StoryIndexerError):
    """An input that cannot be opened or read."""


class BadFeed(InputError):
    """A document that is no feed; `detail` says why as the notes of events do (feeds.md 7.4).

    `root`: the element that it is instead, if it has any.
    """

    def __init__(self, detail: str, root: str = "") -> None:
        super().__init__(f"{detail}: {root}" if root else detail)
        self.detail = detail
        self.root = root


class DecodeError(StoryIndexerError):
    """Bytes that are not a payload of the kind expected."""


class ArchiveError(StoryIndexerError):
    """A WARC file that is not sound."""


class ProgramFailed(StoryIndexerError):
    """A program of a run failed again and again; the text says which, and how its log ends."""


class FetchFailure(StrEnum):
    """What it was that failed when a URL could not be fetched, for those who have to tell apart."""

    UNKNOWN_HOST = "unknown host"  # the name server says that there is no such name
    LOOK_UP_NOW = "name look-up, for now"
    LOOK_UP = "name look-up"
    CONNECT_TIMEOUT = "connect timeout"
    READ_TIMEOUT = "read timeout"  # silent, before the answer's head or in its body
    DEADLINE = "deadline"  # the time for all of it was over
    TLS = "TLS"
    CONNECTION = "connection"  # refused, reset, closed early, or no HTTP that can be read
    BODY = "body"  # cut off, too long, or not encoded as it says
    PROXY = "proxy"  # it can't be reached, or won't have us
    URL = "URL"  # the one asked for, or one that a redirect leads to
    VALUE = "value"  # something else that can't be asked for
    ADDRESS = "address"  # refused
    SIZE = "size"
    REDIRECTS = "redirects"  # too many, or in a circle
    OTHER = "other"


class FetchError(StoryIndexerError):
    """A URL could not be fetched. `status` is the slug of `docs/statuses.md`."""

    status = "noconn"
    failure = FetchFailure.OTHER

    def __init__(self, message: str, status: str = "", failure: FetchFailure | None = None) -> None:
        super().__init__(message)
        self.status = status or self.status
        self.failure = failure or self.failure


class AddressRefused(FetchError):
    """The URL leads to an address that must not be visited: private, loopback, link-local…"""

    status = "bad-host"
    failure = FetchFailure.ADDRESS


class BadURL(FetchError):
    """Not a URL that can be fetched."""

    status = "badurl2"
    failure = FetchFailure.URL


class BadResponse(FetchError):
    """The server answered, but not in sound HTTP, or not to the end. Others may fare better."""

    failure = FetchFailure.BODY


class TooLarge(FetchError):
    """The body is larger than the limit."""

    status = "oversized"
    failure = FetchFailure.SIZE


class TooManyRedirects(FetchError):
    """More redirects than the limit, or a loop."""

    status = "maxredir"
    failure = FetchFailure.REDIRECTS


class SandboxError(StoryIndexerError):
    """A sandboxed function gave no answer. `reason` is timeout, memory, crash or error."""

    def __init__(self, reason: str, why: str) -> None:
        super().__init__(f"{reason}: {why}")
        self.reason = reason
        self.why = why


class Stopped(StoryIndexerError):
    """Thrown into a producer's generator when its run ends early, and cleanly.

    All that it yielded is in the queue: the moment to write down how far it came. A generator that
    is ended in any other way must not take that for granted.
    """


class Disposition(StoryIndexerError):
    """How the handling of one message ended early. `status` is a slug, the metric label."""

    def __init__(self, status: str, why: str = "") -> None:
        super().__init__(f"{status}: {why}" if why else status)
        self.status = status
        self.why = why


class Discard(Disposition):
    """Drop the message: it will never be wanted."""


class Quarantine(Disposition):
    """Set the message aside, with the reason, for a person to look at."""


class Retry(Disposition):
    """Again after the worker's retry delay, a limited number of times.

    `delay`: how many seconds somebody asked for (Retry-After). A message waits as long, but never
    longer than the retry delay: the worker's `hold` sends back what is still too early. When the
    retries are used up the message is dropped if `drop` is true, else quarantined (stories.md 3.4:
    failures of the network are no reason for a person to look).
    """

    def __init__(
        self, status: str, why: str = "", *, drop: bool = False, delay: float | None = None
    ) -> None:
        super().__init__(status, why)
        self.drop = drop
        self.delay = delay


class Requeue(Disposition):
    """Again after the worker's requeue delay, with its headers as they are: not a retry.

    `delay`: it is no use before so many seconds; like that of `Retry`.
    """

    def __init__(self, status: str, why: str = "", *, delay: float | None = None) -> None:
        super().__init__(status, why)
        self.delay = delay
