"""Serve the imitation repositories until Ctrl-C: python -m newsroom.repositories --help"""

import argparse
import json
import shlex
import signal
import threading
from pathlib import Path

from newsroom.repositories.dataset import State
from newsroom.repositories.faults import KINDS, Fault
from newsroom.repositories.server import Repositories
from newsroom.repositories.table import datasets, generated


def main() -> None:
    """Print how a product finds the repositories, and serve until a signal arrives."""
    given = _arguments().parse_args()
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    more = generated(given.datasets, given.files, given.size)
    with Repositories(given.port, more=more, faults=given.fault, log=given.log) as repositories:
        for id, state in given.state:
            repositories.catalogue.change(id, state)
        print((as_json if given.json else introduction)(repositories), flush=True)
        stop.wait()


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m newsroom.repositories", description=__doc__)
    parser.add_argument("port", nargs="?", type=int, default=0, help="port; 0: any free port")
    parser.add_argument(
        "--datasets", type=int, default=0, metavar="N", help="serve N more datasets of Zenodo"
    )
    parser.add_argument("--files", type=int, default=2, help="files of each of these datasets")
    parser.add_argument("--size", type=int, default=2000, help="bytes of each of these files")
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        type=_fault,
        metavar="KIND[:OPTION=VALUE...]@HOST/PATH",
        help="switch a fault on, such as 429:times=2:seconds=1@zenodo.example/api/*; repeatable. "
        "Options: times, share, skip, seconds, bytes, value. Kinds: a status, 429-epoch, "
        + ", ".join(KINDS),
    )
    parser.add_argument(
        "--state",
        action="append",
        default=[],
        type=_state,
        metavar="ID=STATE",
        help=f"change the dataset of a DOI or id; repeatable. States: {', '.join(State)}",
    )
    parser.add_argument("--json", action="store_true", help="print settings, datasets as JSON")
    parser.add_argument("--log", type=Path, help="write the requests there, as JSON lines")
    return parser


def _fault(text: str) -> str:
    try:
        Fault.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def _state(text: str) -> tuple[str, State]:
    id, _, state = text.rpartition("=")
    ids = {name for each in datasets() for name in (each.id, each.doi)}
    if state not in list(State) or id not in ids:
        raise argparse.ArgumentTypeError(f"{text!r} is not ID=STATE of a dataset in the table")
    return id, State(state)


def introduction(repositories: Repositories) -> str:
    """The settings of a product, then the datasets with the status that each must end with."""
    settings = "\n".join(
        f"    export {name}={shlex.quote(value)}" for name, value in repositories.settings.items()
    )
    rows = "\n".join(
        f"    {each.expect:<20} {f'https://doi.org/{each.doi}' if each.doi else '':<45} "
        f"{repositories.landing(each)}"
        for each in repositories.catalogue
        if not each.title.startswith("Generated")
    )
    return f"""The imitation repositories are on 127.0.0.1:{repositories.port}, until Ctrl-C.
A product finds them by these settings:

{settings}

Their datasets, and the status that each must end with:

{rows}

Their hosts exist only here, so tell a client where to connect:

    curl --connect-to ::127.0.0.1:{repositories.port} http://zenodo.example/api/records/10200001
"""


def as_json(repositories: Repositories) -> str:
    """The settings of a product and all datasets, as one line."""
    datasets = [
        {"url": repositories.landing(each), "doi": each.doi, "expect": each.expect}
        for each in repositories.catalogue
    ]
    return json.dumps({"settings": repositories.settings, "datasets": datasets})


if __name__ == "__main__":
    main()
