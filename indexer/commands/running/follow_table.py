"""The progress of `follow`: a live table on a terminal, else lines."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from indexer.commands.console.narrow import fitted
from indexer.commands.console.terminal import say
from indexer.commands.console.working import ShownTable
from indexer.commands.running.summary import dropped, finished, listed
from indexer.errors import StorageError
from indexer.feeds.polling.watching import Watch
from indexer.messages.outcome import OutcomeKind
from indexer.messages.pipelines import Pipeline, Step
from indexer.running.tally import Tally
from pipeline import flavor

LOOK_SECONDS = 2.0
SHARE = 20
"""Counting takes long in a large database: it may take one part in so many of the time."""

LINE_SECONDS = 10.0

CREATED = "created"
"""The status of a story that is new in the index."""

POLLING = "feeds"
"""The flavor with the steps that poll: what follows them works on stories."""

MOST_REASONS = 6
DETAIL_WIDTH = 40


class TableRow(NamedTuple):
    """One line of the table."""

    name: str
    number: int
    detail: str = ""


class FollowTable(ShownTable):
    """Shows the state of feeds and the counts of results. `tick` is called often, and cheap."""

    def __init__(
        self,
        watch: Watch,
        tally: Tally,
        pipeline: Pipeline,
        waiting: Callable[[Step], int],
        now: Callable[[], datetime],
        console: Console,
    ) -> None:
        """`waiting` returns how many messages a step has in its queues or in its processes."""
        super().__init__(console)
        self._watch = watch
        self._tally = tally
        self._pipeline = pipeline
        later = pipeline.beyond(pipeline.goal.name)
        left_out = pipeline.aside | {step.name for step in flavor(POLLING).steps}
        self._later = [step for step in pipeline.steps if step.name in later]
        self._up_to_index = [step for step in pipeline.steps if step.name not in left_out]
        self._waiting = waiting
        self._now = now
        self._started = self._next = time.monotonic()
        self._next_line = 0.0
        self._line = ""

    def tick(self) -> None:
        """Show the counts, if it is time to."""
        now = time.monotonic()
        if now < self._next:
            return
        # The programs that use the database report that it is away.
        with suppress(StorageError):
            self._watch.look(self._now())
        taken = time.monotonic() - now
        self._next = now + max(LOOK_SECONDS, taken * SHARE)
        rows = self.rows()
        if self._console.is_terminal:
            self.show(fitted(self._table(rows, now), self._console))
        elif now >= self._next_line:
            self._print(rows, now)

    def rows(self) -> list[TableRow]:
        """Return the lines of the table."""
        watch, tally = self._watch, self._tally
        standing = watch.standing
        state = [
            f"{standing.due} due" if standing.due else "",
            f"{standing.under_way} being fetched" if standing.under_way else "",
            _when(standing.next_poll, self._now()),
        ]
        no_stories = dropped(tally)
        rows = [
            TableRow("feeds", standing.feeds, ", ".join(filter(None, state))),
            TableRow("fetched", watch.fetched),
            TableRow(
                "failures", watch.failures.total(), _reasons(dict(watch.failures.most_common()))
            ),
            TableRow(
                "new stories", watch.new_stories, self._under_way(self._up_to_index, "under way")
            ),
            TableRow("indexed", created(tally, self._pipeline)),
            TableRow(
                "archived",
                finished(tally, [step.name for step in self._later]),
                self._under_way(self._later, "wait for the next archive"),
            ),
            TableRow("not stories", sum(no_stories.values()), _reasons(no_stories)),
        ]
        return [row for row in rows if row.number or row.name not in ("failures", "not stories")]

    def _under_way(self, steps: Sequence[Step], words: str) -> str:
        number = sum(self._waiting(step) for step in steps)
        return f"{number} {words}" if number else ""

    def _table(self, rows: Sequence[TableRow], now: float) -> Table:
        table = Table(box=None, padding=(0, 1), show_header=False, title=self._title(now))
        table.add_column(style="bold", no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        # Wide from the start, so that the table does not jump when reasons come.
        table.add_column(overflow="fold", min_width=DETAIL_WIDTH)
        for row in rows:
            table.add_row(row.name, str(row.number), row.detail)
        table.caption = "Ctrl-C stops; the same command goes on later"
        return table

    def _title(self, now: float) -> str:
        minutes, seconds = divmod(int(now - self._started), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}"

    def _print(self, rows: Sequence[TableRow], now: float) -> None:
        """Print a line, if its counts have changed."""
        parts = (f"{row.name} {row.number}{row.detail and f' ({row.detail})'}" for row in rows)
        line = ", ".join(parts)
        if line != self._line:
            say(self._console, f"{self._title(now)}  {line}")
            self._line, self._next_line = line, now + LINE_SECONDS


def created(tally: Tally, pipeline: Pipeline) -> int:
    """Return how many stories are new in the index."""
    return tally.by_status(OutcomeKind.DONE, pipeline.goal.name).get(CREATED, 0)


def _when(moment: datetime | None, now: datetime) -> str:
    """Return when the next feed is due, if that is in the future."""
    if moment is None or moment <= now:
        return ""
    minutes = round((moment - now).total_seconds() / 60)
    if minutes < 1:
        return "the next within a minute"
    return f"the next in {minutes} min" if minutes < 100 else f"the next in {minutes / 60:.0f} h"


def _reasons(reasons: Mapping[str, int]) -> str:
    shown = listed(dict([*reasons.items()][:MOST_REASONS]))
    return shown + (", …" if len(reasons) > MOST_REASONS else "")
