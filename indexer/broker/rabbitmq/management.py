"""RabbitMQ's management API, for what AMQP can't tell: which queues there are, and bindings."""

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import requests
import structlog

from indexer.http.urls.redaction import without_credentials
from indexer.messages.topology import Binding

TIMEOUT = (3.0, 10.0)
"""Seconds to connect, and between two bytes."""

_NONSENSE = (LookupError, TypeError, AttributeError)
"""What an answer of another shape gives."""

log = structlog.get_logger()

T = TypeVar("T")


class Management:
    """The HTTP API of a broker, if it has one and lets us in.

    `url` may be blank: it has none. Raises ValueError if it isn't a URL.
    """

    def __init__(self, url: str, user: str, password: str, virtual_host: str) -> None:
        urlsplit(url)
        self.url = url.rstrip("/")
        self._shown = without_credentials(self.url)
        self.auth = (user, password)
        self._virtual_host = quote(virtual_host, safe="")
        self._warned = False

    def bindings(self, exchange: str) -> list[Binding] | None:
        """The queues bound to an exchange; None if the API does not tell, with a warning once."""
        return self._ask(
            f"exchanges/{self._virtual_host}/{quote(exchange, safe='')}/bindings/source",
            lambda rows: [
                Binding(exchange, row["destination"], row["routing_key"])
                for row in rows
                if row["destination_type"] == "queue"
            ],
            optional=True,
        )

    def names(self, kind: str) -> list[str] | None:
        """The names of all `queues` or `exchanges`, sorted; None if the API does not tell, with a
        warning once."""
        return self._ask(
            f"{kind}/{self._virtual_host}?columns=name",
            lambda rows: sorted(str(row["name"]) for row in rows),
        )

    def delivery_limit(self, queue: str) -> int | None:
        """How often a queue's messages may come back; None if it has no limit of its own, or the
        API does not tell, with a warning once."""
        limits = self._ask(
            f"queues/{self._virtual_host}/{quote(queue, safe='')}"
            "?columns=arguments,effective_policy_definition",
            _limits,
            optional=True,
        )
        return min(limits) if limits else None

    def _ask(self, path: str, read: Callable[[Any], T], *, optional: bool = False) -> T | None:
        """What `read` makes of an answer; None, with a warning once, if it makes no sense.

        `optional`: what is asked for may not be there; then it reads an empty list.
        """
        if not self.url:
            return None
        try:
            return read(self.get(f"/api/{path}"))
        except (requests.RequestException, ValueError, *_NONSENSE) as error:
            if optional and _is_absent(error):
                return read([])
            self._warn(error)
            return None

    def get(self, path: str) -> Any:
        """An answer of the API. Raises requests.RequestException, ValueError."""
        with requests.Session() as session:
            session.trust_env = False  # no proxies, and no other credentials from ~/.netrc
            session.auth = self.auth
            response = session.get(self.url + path, timeout=TIMEOUT, allow_redirects=False)
        response.raise_for_status()
        return response.json()

    def _warn(self, error: Exception) -> None:
        if not self._warned:
            self._warned = True
            log.warning(
                "management-silent",
                why=type(error).__name__,
                url=self._shown,
                help="old bindings and the names of queues can't be found without RabbitMQ's "
                "management API; set its address with ?management=URL, or ?management= if there "
                "is none",
            )


def _is_absent(error: Exception) -> bool:
    """Whether the API has answered that there is no such thing."""
    answer = error.response if isinstance(error, requests.HTTPError) else None
    return answer is not None and answer.status_code == requests.codes.not_found


def _limits(queue: Any) -> list[int]:
    """The limits that a queue's arguments and its policy set: the smaller one counts."""
    if not queue:
        return []
    arguments, policy = queue["arguments"] or {}, queue.get("effective_policy_definition") or {}
    found = (arguments.get("x-delivery-limit"), policy.get("delivery-limit"))
    return [int(limit) for limit in found if limit is not None]
