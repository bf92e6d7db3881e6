"""Where a program's messages will go, looked up when it starts, before any work is done.

Without this, a program whose queues are missing would find out when it sends its first result, end,
and be started again; the message would come again each time, until its delivery limit.
"""

import logging
import shlex
from collections.abc import Mapping, Sequence
from contextvars import ContextVar

from indexer.broker import Broker
from indexer.errors import BrokerError
from indexer.http.urls.parts import without_credentials
from indexer.messages.topology import (
    Topology,
    delay_queue,
    fast_queue,
    output_exchange,
    quarantine_queue,
    waiting_queues,
)
from indexer.programs.settings import BrokerOptions

flavors: ContextVar[Mapping[str, Sequence[str]]] = ContextVar("flavors", default={})  # noqa: B039 - read only
"""The flavors of each step, for advice, where the command that started the program knows them."""

log = logging.getLogger(__name__)


def advice(step: str, options: BrokerOptions) -> str:
    """Say what to type if queues are missing: for a step's flavors, and for this broker."""
    first, *others = flavors.get().get(step) or ["FLAVOR"]
    words = ["story-indexer", "pipeline", "configure", "--type", first, *_broker(options)]
    also = f"; --type can also be {' or '.join(others)}" if others else ""
    return f"`{shlex.join(words)}` makes what is missing{also}"


def _broker(options: BrokerOptions) -> list[str]:
    """The options of a command for the same broker, without its credentials."""
    if url := options.broker_url.get_secret_value():
        public = without_credentials(url)
        return ["--broker", public if public == url else "URL"]
    is_usual = options.data == BrokerOptions.model_fields["data"].default
    return [] if is_usual else ["--data", str(options.data)]


def check_output(broker: Broker, step: str, configure: str) -> None:
    """Raise BrokerError, with the advice `configure`, if nothing takes what a step sends on."""
    out = output_exchange(step)
    # As an exchange of instances, whose bindings `declared` doesn't compare.
    if f"no exchange {out}" in broker.declared(Topology(instances=[out])):
        raise BrokerError(f"no exchange {out}: {configure}")
    routes = broker.routes()
    if routes and not any(binding.exchange == out for binding in routes.bindings):
        raise BrokerError(f"nothing is bound to {out}: {configure}")


def missing_tiers(broker: Broker, step: str, configure: str) -> list[str]:
    """The queues for waiting messages that a step has to do without: brokers of older versions.

    Raises BrokerError if one is missing that has always been there.
    """
    needed = (quarantine_queue(step), fast_queue(step), delay_queue(step))
    missing = [name for name in {*needed, *waiting_queues(step)} if broker.depth(name) is None]
    if lacking := sorted({*needed}.intersection(missing)):
        raise BrokerError(f"no queue {', '.join(lacking)}: {configure}")
    for name in sorted(missing):
        log.warning("no queue %s: messages wait in another one; %s", name, configure)
    return missing
