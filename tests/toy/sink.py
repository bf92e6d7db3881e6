"""Writes the links of each batch to a file."""

import sys
from collections.abc import Sequence

from indexer.errors import Disposition, StorageError
from indexer.messages.worker import BatchWorker, Result
from indexer.programs.app import ProgramOptions, run_batch_worker
from indexer.stories.story import Story


class Sink(BatchWorker[Story, Story]):
    """Writes a file for each batch; the link `nowhere` fails its batch."""

    name = "sink"
    takes = Story

    def __init__(self, options: ProgramOptions) -> None:
        self._directory = options.directory(options.process_name or self.name)
        self._links: list[str] = []
        self._files: list[str] = []

    @property
    def made(self) -> Sequence[str]:
        return self._files

    def add(self, payload: Story) -> None:
        self._links.append(payload.rss_entry.link or "")

    def flush(self) -> Sequence[Result[Story] | Disposition]:
        if "nowhere" in self._links:
            raise StorageError("there is no store")
        file = self._directory / f"{len(self._files)}.txt"
        file.write_text("\n".join(self._links))
        self._files.append(str(file))
        results: list[Result[Story] | Disposition] = [None] * len(self._links)
        self._links = []
        return results


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program."""
    return run_batch_worker(Sink, ProgramOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
