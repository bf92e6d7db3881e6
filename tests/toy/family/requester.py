"""Asks for the job that a status names."""

import sys
from collections.abc import Sequence

from indexer.messages.worker import Done, Worker
from indexer.programs.app import run_worker
from indexer.system.options import Options
from tests.toy.family.note import EXCHANGE, Note


class Requester(Worker[Note, Note]):
    """A request for each status whose text is the key of one; refused jobs are remembered."""

    name = "requester"
    takes = Note
    exchange = EXCHANGE

    def __init__(self, _: Options | None = None) -> None:
        self.refused: list[str] = []

    def process(self, status: Note) -> Note | None:
        return Note(status.text, "more") if status.text.startswith("job.") else None

    def unserved(self, request: Note) -> Done[Note]:
        self.refused.append(request.key)
        return Done(status="refused")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program."""
    return run_worker(Requester, Options, arguments)


if __name__ == "__main__":
    sys.exit(main())
