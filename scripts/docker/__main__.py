"""Start an engine with its images, or stop it: `python3 -m scripts.docker start`, `… stop`."""

import contextlib
import sys

from scripts.services import starting
from scripts.services.elasticsearch import Elasticsearch
from scripts.services.service import Unavailable

from . import debian, servers
from .client import running
from .engine import Engine, remove_groups


def start() -> int:
    """Start an engine, and give it the images. Returns 1 if that was not possible."""
    _say("starting an engine of containers, with images of servers: a first time, 5 minutes")
    engine = Engine()
    # Elasticsearch's distribution is brought by a package, if `make services` has not done it.
    starting.install_packages([engine, Elasticsearch()])
    state = starting.bring_up(engine)
    _say(f"  {state.name:14} {state.said}")
    if not state.variables:
        return 1
    try:
        client = running()
        # An engine that was killed has left its containers.
        client.tidy()
        debian.load(client)
        servers.build(client)
    except Unavailable as error:
        _say(str(error))
        return 1
    _say("  images         " + ", ".join(each.image for each in servers.SERVERS))
    return 0


def stop() -> int:
    """Stop the engine, and remove all that it made but its images."""
    with contextlib.suppress(Unavailable):
        running().tidy()
    was_running = starting.stop(Engine.name)
    remove_groups()
    _say(f"  {Engine.name:14} {'stopped' if was_running else 'was not running'}")
    return 0


def _say(line: str) -> None:
    print(line, flush=True)


def main(arguments: list[str]) -> int:
    """Run the action that the argument names."""
    actions = {"start": start, "stop": stop}
    if len(arguments) != 1 or arguments[0] not in actions:
        _say("usage: python3 -m scripts.docker start|stop")
        return 2
    with starting.one_at_a_time():
        return actions[arguments[0]]()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
