"""Start or stop the services: `python3 -m scripts.services start`, `… stop`."""

import fcntl
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from . import packages, places, processes, records
from .elasticsearch import Elasticsearch
from .postgresql import PostgreSQL
from .rabbitmq import RabbitMQ
from .records import Record
from .s3 import S3
from .service import Service, Unavailable

SERVICES: tuple[Service, ...] = (RabbitMQ(), Elasticsearch(), PostgreSQL(), S3())
LAST_LINES = 15


class State(NamedTuple):
    """The result of starting a service: its variables, or none and the reason."""

    name: str
    said: str
    variables: Mapping[str, str]


def start() -> int:
    """Start all services that do not run. Returns 1 if one is not available."""
    _say(
        "starting " + ", ".join(service.name for service in SERVICES) + ": a first time, 2 minutes"
    )
    _install_packages()
    with ThreadPoolExecutor(len(SERVICES)) as pool:
        states = list(pool.map(_report, SERVICES))
    variables = {name: value for state in states for name, value in state.variables.items()}
    records.write_environment(variables)
    _say(f"tests find them by {records.ENVIRONMENT.relative_to(places.CLONE)}")
    return 0 if all(state.variables for state in states) else 1


def stop() -> int:
    """Stop all services, and remove their data."""
    for service in SERVICES:
        if record := records.read(service.name):
            running = record.process.alive()
            record.process.stop()
            _say(f"  {service.name:14} {'stopped' if running else 'was not running'}")
        records.remove(service.name)
    records.ENVIRONMENT.unlink(missing_ok=True)
    places.forget()
    return 0


def _install_packages() -> None:
    """Install the packages of all services together; each service reports later what is missing."""
    needed = packages.missing(package for service in SERVICES for package in service.packages)
    if not needed:
        return
    _say("installing " + " ".join(needed))
    try:
        packages.install(needed, places.RUN / "packages.log")
    except Unavailable as error:
        _say(str(error))


def _report(service: Service) -> State:
    state = _bring_up(service)
    _say(f"  {state.name:14} {state.said}")
    return state


def _bring_up(service: Service) -> State:
    record = records.read(service.name)
    if record and record.process.alive() and service.answers(record.variables):
        return State(service.name, f"already runs: {_where(record)}", record.variables)
    try:
        if record:
            record.process.stop()
            records.remove(service.name)
        record = _start(service)
    except (Unavailable, OSError) as error:
        return State(service.name, f"NOT AVAILABLE: {error}", {})
    return State(service.name, f"answers: {_where(record)}", record.variables)


def _start(service: Service) -> Record:
    if lacking := packages.missing(service.packages):
        raise Unavailable(f"Debian's {' '.join(lacking)} could not be installed")
    service.install()
    folder = places.fresh(service.name)
    launch = service.configure(folder)
    places.give(folder)
    log = places.RUN / f"{service.name}.log"
    process = processes.start(launch.command, folder, log, launch.environment)
    record = Record(service.name, process, launch.variables)
    records.write(record)
    _wait(service, record, log)
    return record


def _wait(service: Service, record: Record, log: Path) -> None:
    """Wait for an answer. Raises Unavailable, with the end of the log, if none comes in time."""
    deadline = time.monotonic() + service.seconds
    while time.monotonic() < deadline and record.process.alive():
        if service.answers(record.variables):
            return
        time.sleep(0.2)
    why = "no answer in time" if record.process.alive() else "it ended"
    record.process.stop()
    records.remove(service.name)
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LAST_LINES:]
    raise Unavailable("\n    ".join([f"{why}. {log} ends with:", *lines]))


def _where(record: Record) -> str:
    """The addresses of a service, without passwords."""
    urls = [value for value in record.variables.values() if "://" in value]
    return ", ".join(url.partition("://")[2].rpartition("@")[2].rstrip("/") for url in urls)


def _say(line: str) -> None:
    print(line, flush=True)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    places.RUN.mkdir(mode=0o700, exist_ok=True)
    with (places.RUN / "lock").open("w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main(arguments: list[str]) -> int:
    """Run the action that the argument names."""
    actions = {"start": start, "stop": stop}
    if len(arguments) != 1 or arguments[0] not in actions:
        _say("usage: python3 -m scripts.services start|stop")
        return 2
    with _one_at_a_time():
        return actions[arguments[0]]()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
