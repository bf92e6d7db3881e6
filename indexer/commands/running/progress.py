"""The progress of `run`: a live table on a terminal, else lines."""

import threading
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from indexer.broker import Broker
from indexer.commands.console.narrow import fitted
from indexer.commands.console.terminal import say
from indexer.commands.console.working import ShownTable
from indexer.commands.running.summary import dropped
from indexer.messages.outcome import OutcomeKind
from indexer.messages.pipelines import Pipeline, Step
from indexer.running.supervisor import quarantined, waiting
from indexer.running.tally import Tally

TABLE_SECONDS = 0.5
LINE_SECONDS = 5.0

HEADINGS = ("step", "waiting", "in hand", "done", "per s", "retried", "dropped", "set aside")


class RunProgress(ShownTable):
    """Shows queue depths, rates and counts. `tick` is called often, and cheap."""

    def __init__(
        self,
        pipeline: Pipeline,
        broker: Broker,
        tally: Tally,
        in_hand: Callable[[str], int],
        console: Console,
    ) -> None:
        super().__init__(console)
        self._pipeline = pipeline
        self._broker = broker
        self._tally = tally
        self._in_hand = in_hand
        self._started = self._next = time.monotonic()

    def tick(self) -> None:
        """Show the counts, if it is time to."""
        now = time.monotonic()
        if now < self._next:
            return
        if self._console.is_terminal:
            self._next = now + TABLE_SECONDS
            table = self._table(now)
            shown = fitted(table, self._console)
            # One line for each number would be longer than the terminal is high.
            self.show(table if shown is table else Text(self._line(now)))
        else:
            self._next = now + LINE_SECONDS
            say(self._console, self._line(now))

    def _table(self, now: float) -> Table:
        table = Table(box=None, padding=(0, 1), title=f"{self._pipeline.name}: {self._clock(now)}")
        for number, heading in enumerate(HEADINGS):
            table.add_column(heading, justify="right" if number else "left", no_wrap=True)
        for step in self._pipeline.steps:
            table.add_row(step.name, *self._numbers(step, now))
        table.caption = self._statuses()
        return table

    def _numbers(self, step: Step, now: float) -> list[str]:
        done = self._done(step.name)
        rate = done / max(now - self._started, 1e-9)
        kinds = (OutcomeKind.RETRY, OutcomeKind.DISCARD, OutcomeKind.QUARANTINE)
        numbers = [waiting(self._broker, step), self._in_hand(step.name), done]
        return [
            *(_blank(number) for number in numbers),
            f"{rate:.1f}" if done else "",
            *(_blank(self._tally.count(kind, step.name)) for kind in kinds),
        ]

    def _done(self, step: str) -> int:
        return sum(self._tally.count(kind, step) for kind in (OutcomeKind.DONE, OutcomeKind.QUEUED))

    def _statuses(self) -> str:
        """Return the statuses of messages that were dropped or quarantined, with their counts."""
        return "  ".join(f"{status} {count}" for status, count in dropped(self._tally).items())

    def _line(self, now: float) -> str:
        parts = [
            f"{step.name} {self._done(step.name)}"
            + (
                f" (+{more})"
                if (more := waiting(self._broker, step) + self._in_hand(step.name))
                else ""
            )
            for step in self._pipeline.steps
        ]
        # From the broker: it may also quarantine messages by itself.
        aside = sum(quarantined(self._broker, step) for step in self._pipeline.steps)
        tail = f", quarantined {aside}" if aside else ""
        goal = self._pipeline.goal
        rate = self._tally.count(OutcomeKind.DONE, goal.name) / max(now - self._started, 1e-9)
        statuses = f"  [{self._statuses()}]" if self._statuses() else ""
        speed = f"{rate:.1f} {goal.counts or 'done'}/s"
        return f"{self._clock(now)}  {', '.join(parts)}{tail}, {speed}{statuses}"

    def _clock(self, now: float) -> str:
        minutes, seconds = divmod(int(now - self._started), 60)
        return f"{minutes}:{seconds:02}"


def ticking(
    stop: threading.Event,
    console: Console,
    *show: Callable[[], None],
) -> Callable[[], None]:
    """Make a function that calls all of `show`, and prints once that a stop was requested."""
    printed = False

    def tick() -> None:
        nonlocal printed
        if stop.is_set() and not printed:
            # Ending may take minutes: a file is uploaded first.
            printed = True
            say(
                console,
                "stopping: messages in progress are finished, the others stay in the queues",
            )
        for each in show:
            each()

    return tick


def _blank(number: int) -> str:
    return str(number) if number else ""
