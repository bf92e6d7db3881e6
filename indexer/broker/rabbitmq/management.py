"""RabbitMQ's management API, which lists queues, exchanges and bindings; AMQP doesn't."""

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import quote

from indexer.errors import ConfigurationError, InputError
from indexer.http.bounded_requests import AnswerLimits
from indexer.http.json_service import Advice, JSONService, Missing, basic, json_of
from indexer.http.urls.parts import has_user
from indexer.messages.topology import Binding, Destination, Queue, Topology
from indexer.system.loggers import get_logger

LIMITS = AnswerLimits(connect=10.0, read=30.0, total=60.0, max_bytes=64_000_000)

WITHOUT_MANAGEMENT = (
    "without RabbitMQ's management API old bindings and the names of queues are unknown; set its "
    "address with ?management=URL, or ?management= if there is none"
)

_ADVICE = Advice(
    url="?management=",
    refused="check the user and its tags",
    too_large="the virtual host has too many queues",
)
_NONSENSE = (LookupError, TypeError, AttributeError, ValueError)
"""The errors of reading an answer of another shape."""

log = get_logger()

T = TypeVar("T")


class Management:
    """The management API of a broker, which may be missing or refuse its user.

    A blank `url`: the broker has none. A user in the URL replaces the broker's. Raises
    ConfigurationError.
    """

    def __init__(self, url: str, user: str, password: str, virtual_host: str) -> None:
        self._service = None
        if url:
            authorization = "" if has_user(url) else basic(user, password)
            self._service = JSONService(
                "RabbitMQ's management API", url, LIMITS, _ADVICE, authorization=authorization
            )
        self._virtual_host = quote(virtual_host, safe="")
        self._warned = False

    def bindings(self, exchange: str) -> list[Binding] | None:
        """The bindings of an exchange; None if the API doesn't answer, see `_ask`."""
        return self._ask(
            f"exchanges/{self._virtual_host}/{quote(exchange, safe='')}/bindings/source",
            lambda rows: [_binding(exchange, row) for row in rows],
            optional=True,
        )

    def routes(self) -> Topology | None:
        """All queues with their dead letters, and all bindings; None if the API doesn't answer."""
        queues = self._ask(
            f"queues/{self._virtual_host}?columns=name,arguments",
            lambda rows: [Queue(row["name"], _dead_letter(row)) for row in rows],
        )
        bindings = self._ask(
            f"bindings/{self._virtual_host}",
            # The default exchange "" is bound to every queue.
            lambda rows: [_binding(row["source"], row) for row in rows if row["source"]],
        )
        if queues is None or bindings is None:
            return None
        return Topology(queues=queues, bindings=bindings)

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
        if self._service is None:
            return None
        try:
            return read(self.get(f"/api/{path}"))
        except Missing as error:
            if optional:
                return read([])
            self._warn(error)
        except (InputError, ConfigurationError, *_NONSENSE) as error:
            self._warn(error)
        return None

    @property
    def url(self) -> str:
        """The API's URL without credentials; "" if the broker has none."""
        return self._service.url("") if self._service else ""

    def get(self, path: str) -> Any:
        """An answer of the API; None if it is no JSON. Raises InputError, ConfigurationError."""
        if self._service is None:
            raise InputError("the broker has no management API")
        return json_of(self._service.get(path))

    def _warn(self, error: Exception) -> None:
        if not self._warned:
            self._warned = True
            log.warning(
                "management-silent",
                why=f"{type(error).__name__}: {error}",
                url=self.url,
                help=WITHOUT_MANAGEMENT,
            )


def _binding(exchange: str, row: Any) -> Binding:
    kind = Destination(row["destination_type"])
    return Binding(exchange, row["destination"], row["routing_key"], kind)


def _dead_letter(row: Any) -> str:
    """The queue that gets a queue's dead letters; "" if they go elsewhere, or nowhere."""
    arguments = row.get("arguments") or {}
    if arguments.get("x-dead-letter-exchange") != "":
        return ""
    return str(arguments.get("x-dead-letter-routing-key", ""))


def _limits(queue: Any) -> list[int]:
    """The delivery limits in a queue's arguments and in its policy; the smaller one applies."""
    if not queue:
        return []
    arguments, policy = queue["arguments"] or {}, queue.get("effective_policy_definition") or {}
    found = (arguments.get("x-delivery-limit"), policy.get("delivery-limit"))
    return [int(limit) for limit in found if limit is not None]
