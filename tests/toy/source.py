"""Queues the links that are given as inputs."""

import sys
from collections.abc import Generator, Sequence

from indexer.errors import InputError
from indexer.messages.worker import Mark, Producer, Skipped
from indexer.programs.app import ProducerOptions, run_producer
from indexer.stories.story import RSSEntry, Story


class Source(Producer[Story]):
    """A story for each input; `skip` is skipped, `fail` fails."""

    name = "source"

    def __init__(self, options: ProducerOptions) -> None:
        self._links = options.inputs

    def produce(self) -> Generator[Story | Skipped | Mark, None, None]:
        for link in self._links:
            if link == "fail":
                yield Mark()
                raise InputError("the input is broken")
            yield Skipped("bad", link) if link == "skip" else Story(rss_entry=RSSEntry(link=link))
        yield Mark()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program."""
    return run_producer(Source, ProducerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
