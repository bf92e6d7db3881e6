"""Reads archives for a command: errors are printed, and the other archives read."""

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO, TypeVar

from indexer.commands.console.terminal import cell
from indexer.errors import InputError
from indexer.inputs.inputs import Input
from indexer.stories.archiving.archives import archives, opened
from indexer.stories.archiving.story_archive_reader import Fault

T = TypeVar("T")


class ArchiveReading:
    """Reads archives one after the other; `whole` says whether all could be read so far.

    Raises InputError if there are no archives, ConfigurationError.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.whole = True
        self.archives = list(archives(names, self._unread))

    def each(
        self,
        read: Callable[[BinaryIO], Iterator[T | Fault]],
        at: Callable[[str], None] = lambda _: None,
    ) -> Iterator[tuple[Input, T]]:
        """Yield what `read` finds in each archive; report errors, and the progress to `at`."""
        for number, archive in enumerate(self.archives, start=1):
            at(f"{number} of {len(self.archives)} archives: {archive.name}")
            try:
                with opened(archive) as file:
                    for item in read(file):
                        if isinstance(item, Fault):
                            self._lose(f"{archive.name}: {item}")
                        else:
                            yield archive, item
            except InputError as error:
                self._unread(error)

    def _unread(self, error: InputError) -> None:
        self._lose(f"can't be read: {error}")

    def _lose(self, text: str) -> None:
        self.whole = False
        print(cell(text, 5000), file=sys.stderr)
