"""Starts one service, waits for its answer, and stops it."""

import fcntl
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from . import packages, places, processes, records
from .records import Record
from .service import Service, Unavailable

LAST_LINES = 15


class State(NamedTuple):
    """The result of starting a service: its variables, or none and the reason."""

    name: str
    said: str
    variables: Mapping[str, str]


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Wait until no other process starts or stops services of this clone."""
    places.RUN.mkdir(mode=0o700, exist_ok=True)
    with (places.RUN / "lock").open("w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def install_packages(services: Iterable[Service]) -> None:
    """Install missing packages together; each service reports later what it still lacks."""
    needed = packages.missing(package for service in services for package in service.packages)
    if not needed:
        return
    print("installing " + " ".join(needed), flush=True)
    try:
        packages.install(needed, places.RUN / "packages.log")
    except Unavailable as error:
        print(error, flush=True)


def bring_up(service: Service) -> State:
    """Start a service, unless it runs and answers; never raises, as the result has the reason."""
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
    if not service.as_root:
        places.give(folder)
    log = places.RUN / f"{service.name}.log"
    process = processes.start(
        launch.command, folder, log, launch.environment, as_root=service.as_root
    )
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


def stop(name: str) -> bool:
    """Stop a service, and remove its data. Returns whether it ran."""
    record = records.read(name)
    running = record is not None and record.process.alive()
    if record:
        record.process.stop()
    records.remove(name)
    places.forget(name)
    return running
