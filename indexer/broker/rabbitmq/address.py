"""AMQP URLs: the parameters of a connection, and the address of the management API."""

import socket
import sys
from os import getpid
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import pika

from indexer.broker.rabbitmq.management import WITHOUT_MANAGEMENT, Management
from indexer.errors import ConfigurationError
from indexer.system.loggers import get_logger
from indexer.text.url_parameters import check_parameters

BLOCKED_SECONDS = 300.0
"""How long RabbitMQ may block publishers (memory or disk alarm) before the connection fails."""

MANAGEMENT = 10_000
"""The management API's port is the port of AMQP plus this (stories.md 3.2)."""

LARGEST_PORT = 65_535

PARAMETERS = frozenset(
    {
        "blocked_connection_timeout",
        "channel_max",
        "client_properties",
        "connection_attempts",
        "frame_max",
        "heartbeat",
        "locale",
        "management",
        "retry_delay",
        "socket_timeout",
        "ssl_options",
        "stack_timeout",
        "tcp_options",
    }
)
"""The parameters of an AMQP URL: those of pika, and `management`, the URL of the API."""

log = get_logger()


def parse(url: str) -> tuple[pika.URLParameters, Management]:
    """The parameters of a connection, and the management API. Raises ConfigurationError."""
    try:
        parts = urlsplit(url)
        # A password with an unescaped `/` or `?` leaves no valid port: it is not taken for a name.
        _ = parts.port
        check_parameters("the broker's URL", url, PARAMETERS)
        query = parse_qsl(parts.query, keep_blank_values=True)
        others = urlencode([(name, value) for name, value in query if name != "management"])
        parameters = pika.URLParameters(urlunsplit(parts._replace(query=others)))
        api = dict(query).get("management", _management_url(parameters))
        user = parameters.credentials
        management = Management(api, user.username, user.password, parameters.virtual_host)
    except (ValueError, TypeError, SyntaxError, OSError):
        # `from None`: pika's errors quote the URL, which may contain a password. SyntaxError and
        # TypeError come from its `ast.literal_eval` of parameters, OSError from certificate files.
        raise ConfigurationError(
            "not an AMQP URL: amqp://user:password@host:5672/vhost?parameter=value, "
            "with special characters %-escaped; parameters are those of pika, and management"
        ) from None
    return _completed(parameters), management


def _management_url(parameters: pika.URLParameters) -> str:
    scheme = "https" if parameters.ssl_options else "http"
    host = f"[{parameters.host}]" if ":" in parameters.host else parameters.host
    port = parameters.port + MANAGEMENT
    if port > LARGEST_PORT:
        log.warning("management-silent", why=f"the port {port} can't be", help=WITHOUT_MANAGEMENT)
        return ""
    return f"{scheme}://{host}:{port}"


def _completed(parameters: pika.URLParameters) -> pika.URLParameters:
    """Add a name, which RabbitMQ's tools show, and a limit for blocked connections."""
    program = Path(sys.argv[0]).stem or "python"
    name = f"{program} {socket.gethostname()}:{getpid()}"
    given = parameters.client_properties or {}
    parameters.client_properties = {"connection_name": name, **given}
    if parameters.blocked_connection_timeout is None:
        parameters.blocked_connection_timeout = BLOCKED_SECONDS
    return parameters
