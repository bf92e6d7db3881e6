"""The options that programs of one kind have in common, in groups.

A program's own class lists the options that the program itself uses, these groups among them:

    class ParserOptions(ProgramOptions, LinkOptions):

The groups that only its loop uses are added by `run_worker`, `run_producer` and the others.
"""

import re
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, SecretStr

from indexer.broker import Broker, open_broker
from indexer.system.options import Options, option


def data_directory() -> Any:
    """Make the option `data`: groups that find a default file in that directory define it too."""
    return option(Path("data"), "directory of all that is kept", "DATAROOT")


BROKER_VARIABLES = ("BROKER_URL", "RABBITMQ_URL")
INDEX_VARIABLES = ("INDEX_URL", "ELASTICSEARCH_HOSTS")
"""The variables of a place: the first that is set counts."""


def broker_option(about: str, short: str = "") -> Any:
    """Make the option of a broker's URL: programs and commands obey the same variables."""
    form: Any = {"short": short, "also": "rabbitmq-url", "metavar": "URL"}
    return option(SecretStr(""), about, *BROKER_VARIABLES, **form)


def broker_or_default(url: SecretStr, data: Path) -> str:
    """Return the URL of a broker, with its credentials: the given one, or in the data directory."""
    return url.get_secret_value() or f"sqlite:///{data / 'queues.sqlite3'}"


def index_option(about: str, *before: str) -> Any:
    """Make the option of an index's URL: programs and commands obey the same variables.

    Variables of the option's own come `before` them.
    """
    env = (*before, *INDEX_VARIABLES)
    return option(SecretStr(""), about, *env, also="elasticsearch-hosts", metavar="URL")


def index_or_default(url: SecretStr, data: Path) -> str:
    """Return the URL of an index, with its credentials: the given one, or in the data directory."""
    return url.get_secret_value() or f"sqlite:///{data / 'index.sqlite3'}"


def _octal(text: str) -> str:
    if not _UMASK.fullmatch(text):
        raise ValueError("write DATA_UMASK in octal, like 077, 027 or 022")
    return text


_UMASK = re.compile("0?[0-7]{1,3}")


Umask = Annotated[str, AfterValidator(_octal)]


def umask_option() -> Any:
    """Make the option of permissions: programs and commands obey the same variable."""
    return option(
        "077",
        "permissions that new files and directories lack, besides those of the umask: 077 keeps "
        "them for their owner, 027 lets the group read them, 022 everyone",
        "DATA_UMASK",
    )


class PermissionOptions(Options):
    """Who may read and write the files that a command makes."""

    data_umask: Umask = umask_option()


class ProgramOptions(Options):
    """Options of every program, also of one that has nothing to do with messages."""

    data: Path = data_directory()
    data_umask: Umask = umask_option()
    process_name: str = option(
        "", "name in queues, logs and files; default: the program's", "PROCESS_NAME"
    )
    log_level: str = option(
        "info", "critical, error, warning, info or debug", "LOG_LEVEL", short="l"
    )
    logger_level: list[str] = option(
        [], "LOGGER:LEVEL, the level of one logger; repeatable", short="L"
    )
    debug: bool = option(False, "--log-level debug", short="d")
    quiet: bool = option(False, "--log-level warning", short="q")
    list_loggers: bool = option(False, "print the names of the loggers, and end")
    syslog_host: str = option("", "also send the log to this host, by UDP", "SYSLOG_HOST")
    syslog_port: Annotated[int, Field(ge=0, le=0xFFFF)] = option(
        5140, "UDP port of that host", "SYSLOG_PORT"
    )
    metrics: str = option(
        "",
        "serve metrics for Prometheus at HOST:PORT; :PORT listens on all addresses, port 0 on any "
        "free port",
        "METRICS_ADDRESS",
    )
    statsd_url: str = option("", "also send metrics to statsd://HOST[:PORT]", "STATSD_URL")
    statsd_realm: str = option(
        "", "part of the names in statsd: prod, staging, hist-prod…", "STATSD_REALM"
    )
    statsd_prefix: str = option(
        "", "begin all names in statsd with this text, without realm and program", "STATSD_PREFIX"
    )

    @property
    def level(self) -> str:
        """The level of the log."""
        return "debug" if self.debug else "warning" if self.quiet else self.log_level

    @property
    def syslog(self) -> tuple[str, int] | None:
        """The host and port that get the log too, besides standard error."""
        return (self.syslog_host, self.syslog_port) if self.syslog_host else None

    def directory(self, program: str) -> Path:
        """A program's own directory, made if missing (stories.md 1.7)."""
        path = self.data / program
        path.mkdir(parents=True, exist_ok=True)
        return path


class BrokerOptions(Options):
    """Options of every program that uses a broker."""

    data: Path = data_directory()
    broker_url: SecretStr = broker_option(
        "the broker: sqlite:///FILE or amqp://USER:PASSWORD@HOST/; "
        "default: queues.sqlite3 in the data directory",
        short="U",
    )

    @property
    def broker(self) -> str:
        """The broker's URL, with its credentials."""
        return broker_or_default(self.broker_url, self.data)

    def opened(self) -> AbstractContextManager[Broker]:
        """Open the broker; it is closed at the end. Raises ConfigurationError, BrokerError."""
        return closing(open_broker(self.broker))


class AppOptions(Options):
    """Options of every step of a pipeline: its deployment, and where its outcomes are reported."""

    deployment_id: str = option(
        "", "wait until the broker is configured for this deployment", "DEPLOYMENT_ID"
    )
    breadcrumb_exchange: str = option(
        "", "send breadcrumbs of all outcomes to this exchange, for pipeview", "BREADCRUMB_EXCHANGE"
    )
    report_fd: int = option(-1, "file descriptor for reports in JSON, used by `story-indexer run`")


class WorkerOptions(Options):
    """Options of the loop of every worker; None: the worker's own number."""

    threads: int | None = option(
        None,
        "messages handled at the same time",
        "WORKER_THREADS",
        short="W",
        also="worker-threads",
    )
    prefetch: int | None = option(
        None, "messages held at most: those in hand, and the next ones", "PREFETCH"
    )
    max_retries: int | None = option(
        None, "retries of a message, after its first try", "MAX_RETRIES"
    )
    retry_delay_minutes: float | None = option(
        None,
        "minutes before a later retry; earlier and last ones in proportion; default: 60",
        "RETRY_DELAY_MINUTES",
    )
    requeue_delay_seconds: float | None = option(
        None,
        "seconds that a message waits if it came too early; default: 120",
        "REQUEUE_DELAY_SECONDS",
    )
    input_queue: str = option("", "queue of the input; default: NAME-in", "INPUT_QUEUE")
    from_quarantine: bool = option(False, "handle the messages in the quarantine, and end")
    until_empty: bool = option(False, "end when the queue is empty")


class BatchOptions(Options):
    """Options of the loop of every batch worker, besides those of workers."""

    batch_size: int | None = option(None, "most messages in a batch", "BATCH_SIZE")
    batch_seconds: float | None = option(
        None, "seconds after which a batch ends, at most 1500", "BATCH_SECONDS"
    )


class ProducerOptions(Options):
    """Options of every producer (stories.md 3.8)."""

    inputs: list[str] = option(
        [], "inputs: files, directories, URLs, @LIST, - for standard input", positional=True
    )
    dry_run: bool = option(False, "read and count, change nothing", short="n")
    force: bool = option(False, "read also inputs that were read before", short="f")
    loop: bool = option(False, "wait while the queues are full; without it, stop")
    sleep: float = option(60.0, "seconds between two checks of full queues")
    max_messages: int | None = option(None, "stop after so many messages", also="max-stories")
    random_sample: float | None = option(None, "queue so many percent of the messages")
    sample_size: int | None = option(None, "queue a tenth of the messages, and at most so many")
    shuffle_batch_size: int = option(
        2500, "messages shuffled together, to interleave sites", "SHUFFLE_BATCH_SIZE"
    )
    max_queue_len: int = option(
        100_000, "high-water mark: stop at so many messages in the queues", "MAX_QUEUE_LEN"
    )
    min_queue_len: int | None = option(
        None, "low-water mark: start below it; default: 80 % of the high mark", "MIN_QUEUE_LEN"
    )
    watch_queues: list[str] = option(
        [],
        "queues whose messages count for the marks; default: all after this step",
        "WATCH_QUEUES",
    )
    min_disk_free: float = option(25.0, "percent of the data's disk to keep free", "MIN_DISK_FREE")
    cleanup: bool = option(False, "read also inputs that a killed program left half done")
    test: bool = option(False, "only list the inputs that would be read")
