"""Logs: `time | LEVEL | logger | message` on standard error (stories.md 2.2), and syslog.

Loggers of structlog write the same lines, with their fields as `name=value`.
"""

import logging
import time
from collections.abc import Sequence

import structlog

from indexer.errors import ConfigurationError
from indexer.system.datagrams import Datagrams
from indexer.system.syslog import SyslogHandler

FORMAT = "%(asctime)s | %(levelname)s | %(name)s | %(message)s"

LEVELS = {
    "critical": logging.CRITICAL,
    "fatal": logging.CRITICAL,
    "error": logging.ERROR,
    "warn": logging.WARNING,
    "warning": logging.WARNING,
    "info": logging.INFO,
    "debug": logging.DEBUG,
    "notset": logging.NOTSET,
}

NOISY = (
    "pika",
    "urllib3",
    "elastic_transport",
    "elasticsearch",
    "botocore",
    "boto3",
    "s3transfer",
    "alembic",
)
"""Libraries whose warnings repeat our own errors, or may contain credentials."""


def set_up(
    level: str,
    loggers: Sequence[str] = (),
    syslog: tuple[str, int] | None = None,
    *,
    app: str = "",
) -> None:
    """Log at `level`; `loggers` are `NAME:LEVEL`. Raises ConfigurationError.

    `syslog` is the host and port of a server that also gets the log, as that of `app`. A server
    that is away costs only its copy.
    """
    # Logs of machines in several time zones can be merged.
    logging.Formatter.converter = time.gmtime
    printed = logging.StreamHandler()
    printed.setFormatter(logging.Formatter(FORMAT))
    handlers: list[logging.Handler] = [printed]
    if syslog is not None:
        handlers.append(SyslogHandler(Datagrams(*syslog), app))
    logging.basicConfig(level=level_of(level), handlers=handlers, force=True)
    for name in NOISY:
        logging.getLogger(name).setLevel(max(level_of(level), logging.ERROR))
    for each in loggers:
        name, _, own = each.rpartition(":")
        logging.getLogger(name).setLevel(level_of(own))
    route_structlog()


def level_of(name: str) -> int:
    """Return the number of a log level. Raises ConfigurationError."""
    try:
        return LEVELS[name.lower()]
    except KeyError:
        raise ConfigurationError(f"no log level {name!r}: use one of {', '.join(LEVELS)}") from None


def route_structlog() -> None:
    """Let loggers of structlog write to those of `logging`."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["event"], drop_missing=True),
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
