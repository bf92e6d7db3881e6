"""Start or stop the services: `python3 -m scripts.services start`, `… stop`."""

import sys
from concurrent.futures import ThreadPoolExecutor

from . import places, records, starting
from .elasticsearch import Elasticsearch
from .postgresql import PostgreSQL
from .rabbitmq import RabbitMQ
from .s3 import S3
from .service import Service
from .starting import State

SERVICES: tuple[Service, ...] = (RabbitMQ(), Elasticsearch(), PostgreSQL(), S3())


def start() -> int:
    """Start all services that do not run. Returns 1 if one is not available."""
    _say(
        "starting " + ", ".join(service.name for service in SERVICES) + ": a first time, 2 minutes"
    )
    starting.install_packages(SERVICES)
    with ThreadPoolExecutor(len(SERVICES)) as pool:
        states = list(pool.map(_report, SERVICES))
    variables = {name: value for state in states for name, value in state.variables.items()}
    records.write_environment(variables)
    _say(f"tests find them by {records.ENVIRONMENT.relative_to(places.CLONE)}")
    return 0 if all(state.variables for state in states) else 1


def stop() -> int:
    """Stop all services, and remove their data."""
    for service in SERVICES:
        running = starting.stop(service.name)
        _say(f"  {service.name:14} {'stopped' if running else 'was not running'}")
    records.ENVIRONMENT.unlink(missing_ok=True)
    return 0


def _report(service: Service) -> State:
    state = starting.bring_up(service)
    _say(f"  {state.name:14} {state.said}")
    return state


def _say(line: str) -> None:
    print(line, flush=True)


def main(arguments: list[str]) -> int:
    """Run the action that the argument names."""
    actions = {"start": start, "stop": stop}
    if len(arguments) != 1 or arguments[0] not in actions:
        _say("usage: python3 -m scripts.services start|stop")
        return 2
    with starting.one_at_a_time():
        return actions[arguments[0]]()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
