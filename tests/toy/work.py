"""Passes stories on, or does as their link says."""

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from indexer.errors import Discard, Retry
from indexer.messages.worker import Worker
from indexer.programs.app import WorkerOptions, run_worker
from indexer.stories.story import Story
from indexer.system.options import option


class WorkOptions(WorkerOptions):
    """The file that records that the program has died once."""

    died: Path = option(Path("died"), "marker", "TOY_DIED")


class Work(Worker[Story, Story]):
    """`drop` is dropped, `later` is retried, `next-run` after an hour; `die` dies each time,
    `once` the first time.
    """

    name = "work"
    takes = Story

    def __init__(self, options: WorkOptions) -> None:
        self._died = options.died

    def process(self, payload: Story) -> Story:
        link = payload.rss_entry.link
        if link == "drop":
            raise Discard("dropped")
        if link == "later":
            raise Retry("not-yet", delay=0.05, drop=True)
        if link == "next-run":
            raise Retry("not-yet", delay=3600.0)
        if link == "slow":
            time.sleep(0.25)
        if link == "die" or (link == "once" and not self._died.exists()):
            self._died.touch()
            os._exit(70)
        return payload


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program."""
    return run_worker(Work, WorkOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
