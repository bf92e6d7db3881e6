"""RabbitMQ's management API, for what AMQP can't tell: which queues are bound to an exchange."""

from typing import Any
from urllib.parse import quote

import requests
import structlog

from indexer.topology import Binding
from indexer.urls import without_credentials

TIMEOUT = (3.0, 10.0)
"""Seconds to connect, and between two bytes."""

log = structlog.get_logger()


class Management:
    """The HTTP API of a broker, if it has one and lets us in.

    `url` may be blank: it has none. Raises ValueError if it isn't a URL.
    """

    def __init__(self, url: str, user: str, password: str, virtual_host: str) -> None:
        self.url = url.rstrip("/")
        self._shown = without_credentials(self.url)
        self.auth = (user, password)
        self._virtual_host = quote(virtual_host, safe="")
        self._warned = False

    def bindings(self, exchange: str) -> list[Binding] | None:
        """The queues bound to an exchange; None if the API does not tell, with a warning once."""
        if not self.url:
            return None
        path = f"/api/exchanges/{self._virtual_host}/{quote(exchange, safe='')}/bindings/source"
        try:
            rows = self._get(path)
            return [
                Binding(exchange, row["destination"], row["routing_key"])
                for row in rows
                if row["destination_type"] == "queue"
            ]
        except (requests.RequestException, ValueError, LookupError, TypeError) as error:
            self._warn(error)
            return None

    def _get(self, path: str) -> Any:
        with requests.Session() as session:
            session.trust_env = False  # no proxies, and no other credentials from ~/.netrc
            session.auth = self.auth
            response = session.get(self.url + path, timeout=TIMEOUT, allow_redirects=False)
        if response.status_code == requests.codes.not_found:
            return []
        response.raise_for_status()
        return response.json()

    def _warn(self, error: Exception) -> None:
        if not self._warned:
            self._warned = True
            log.warning(
                "bindings-unknown",
                why=type(error).__name__,
                url=self._shown,
                help="old bindings can't be found without RabbitMQ's management API; "
                "set its address with ?management=URL, or ?management= if there is none",
            )
