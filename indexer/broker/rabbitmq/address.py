"""What an AMQP URL says: how to connect to RabbitMQ, and where its management API is."""

import socket
import sys
from os import getpid
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import pika

from indexer.broker.rabbitmq.management import Management
from indexer.errors import ConfigurationError

BLOCKED_SECONDS = 300.0
"""How long RabbitMQ may refuse to take messages (memory or disk alarm) before we give up."""

MANAGEMENT = 10_000
"""The management API listens on the port of AMQP, and so much more (stories.md 3.2)."""


def parse(url: str) -> tuple[pika.URLParameters, Management]:
    """How to connect, and the management API. Raises ConfigurationError.

    Errors don't quote the URL, nor pika's errors, which do: there is a password in it.
    """
    try:
        parts = urlsplit(url)
        query = parse_qsl(parts.query, keep_blank_values=True)
        others = urlencode([(name, value) for name, value in query if name != "management"])
        parameters = pika.URLParameters(urlunsplit(parts._replace(query=others)))
        api = dict(query).get("management", _management_url(parameters))
        user = parameters.credentials
        management = Management(api, user.username, user.password, parameters.virtual_host)
    except (ValueError, TypeError, SyntaxError, OSError):
        raise ConfigurationError(
            "not an AMQP URL: amqp://user:password@host:5672/vhost?parameter=value, "
            "with special characters %-escaped; parameters are those of pika, and management"
        ) from None
    return _completed(parameters), management


def _management_url(parameters: pika.URLParameters) -> str:
    scheme = "https" if parameters.ssl_options else "http"
    host = f"[{parameters.host}]" if ":" in parameters.host else parameters.host
    return f"{scheme}://{host}:{parameters.port + MANAGEMENT}"


def _completed(parameters: pika.URLParameters) -> pika.URLParameters:
    """With the name that RabbitMQ's own tools show, and without waiting for ever."""
    program = Path(sys.argv[0]).stem or "python"
    name = f"{program} {socket.gethostname()}:{getpid()}"
    given = parameters.client_properties or {}
    parameters.client_properties = {"connection_name": name, **given}
    if parameters.blocked_connection_timeout is None:
        parameters.blocked_connection_timeout = BLOCKED_SECONDS
    return parameters
