"""RabbitMQ's management API, which lists queues, exchanges and bindings; AMQP doesn't."""

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import requests
import structlog

from indexer.http.urls.parts import without_credentials
from indexer.messages.topology import Binding

TIMEOUT = (3.0, 10.0)
"""Seconds to connect, and between two bytes of an answer."""

_NONSENSE = (LookupError, TypeError, AttributeError)
"""The errors of reading an answer of another shape."""

log = structlog.get_logger()

T = TypeVar("T")


class Management:
    """The management API of a broker, which may be missing or refuse its user.

    A blank `url`: the broker has none. Raises ValueError if it isn't a URL.
    """

    def __init__(self, url: str, user: str, password: str, virtual_host: str) -> None:
        urlsplit(url)
        self.url = url.rstrip("/")
        self._shown = without_credentials(self.url)
        self.auth = (user, password)
        self._virtual_host = quote(virtual_host, safe="")
        self._warned = False

    def bindings(self, exchange: str) -> list[Binding] | None:
        """The bindings of an exchange to queues; None if the API doesn't answer, see `_ask`."""
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
        """The sorted names of all `queues` or `exchanges`; None if the API doesn't answer."""
        return self._ask(
            f"{kind}/{self._virtual_host}?columns=name",
            lambda rows: sorted(str(row["name"]) for row in rows),
        )

    def delivery_limit(self, queue: str) -> int | None:
        """The delivery limit of a queue; None if it has none, or the API doesn't answer."""
        limits = self._ask(
            f"queues/{self._virtual_host}/{quote(queue, safe='')}"
            "?columns=arguments,effective_policy_definition",
            _limits,
            optional=True,
        )
        return min(limits) if limits else None

    def _ask(self, path: str, read: Callable[[Any], T], *, optional: bool = False) -> T | None:
        """The result of `read` for an answer; None if there is no usable answer.

        The first time, a warning is logged. `optional`: 404 is read as an empty list.
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
            session.trust_env = False  # ignores proxies, and credentials in ~/.netrc
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
                help="without RabbitMQ's management API old bindings and the names of queues are "
                "unknown; set its address with ?management=URL, or ?management= if there is none",
            )


def _is_absent(error: Exception) -> bool:
    """Whether the API's answer was 404."""
    answer = error.response if isinstance(error, requests.HTTPError) else None
    return answer is not None and answer.status_code == requests.codes.not_found


def _limits(queue: Any) -> list[int]:
    """The delivery limits in a queue's arguments and in its policy; the smaller one applies."""
    if not queue:
        return []
    arguments, policy = queue["arguments"] or {}, queue.get("effective_policy_definition") or {}
    found = (arguments.get("x-delivery-limit"), policy.get("delivery-limit"))
    return [int(limit) for limit in found if limit is not None]
