"""Queues a link every now and then, and never ends by itself."""

import os
import sys
from collections.abc import Generator, Sequence
from pathlib import Path

from indexer.loops.producing import idle_marks
from indexer.messages.worker import Mark, Producer, Skipped
from indexer.programs.app import ProducerOptions, run_producer
from indexer.stories.story import RSSEntry, Story
from indexer.system.options import option


class TickerOptions(ProducerOptions):
    """The file that records that the program has died once."""

    died: Path = option(Path("died"), "marker", "TOY_DIED")


class Ticker(Producer[Story]):
    """Its inputs, and then `tick` again and again; `once` ends it, but not a second time."""

    name = "ticker"
    shuffled = False

    def __init__(self, options: TickerOptions) -> None:
        self._links = options.inputs
        self._died = options.died

    def produce(self) -> Generator[Story | Skipped | Mark, None, None]:
        for link in self._links:
            if link == "once" and not self._died.exists():
                self._died.touch()
                os._exit(70)
            yield Story(rss_entry=RSSEntry(link=link))
        while True:
            yield Story(rss_entry=RSSEntry(link="tick"))
            yield Mark()
            yield from idle_marks(0.1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program."""
    return run_producer(Ticker, TickerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
