"""Does jobs, with statuses for the requester and lines for a log."""

import sys
from collections.abc import Sequence

from indexer.messages.worker import Worker
from indexer.programs.app import run_worker
from indexer.system.options import Options
from tests.toy.family.note import EXCHANGE, Note


class Painter(Worker[Note, Note]):
    """A job is two statuses and a line."""

    name = "painter"
    takes = Note
    exchange = EXCHANGE

    def __init__(self, _: Options | None = None) -> None:
        pass

    def process(self, request: Note) -> list[Note]:
        status = request.key.replace(".start.", ".status.")
        return [Note(status, "running"), Note("log.painted"), Note(status, "completed")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program."""
    return run_worker(Painter, Options, arguments)


if __name__ == "__main__":
    sys.exit(main())
