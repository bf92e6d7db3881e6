"""The summary of a run: its counts, for a person and as JSON."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from indexer.blobstore.directory import path_of
from indexer.commands.console.narrow import fitted
from indexer.commands.console.terminal import say, this_command
from indexer.http.urls.addresses import with_option
from indexer.messages.outcome import OutcomeKind
from indexer.messages.pipelines import Pipeline
from indexer.running.tally import Tally
from indexer.stories.indexing.differences import DifferencesReport

REINDEXED = ("updated", "unchanged", "would-update", "would-create")
"""Statuses of messages at the goal that were there before, and may be updated (stories.md 7.2)."""

DUPLICATES = ("dups", "ilm-dups")
"""Statuses of messages that were discarded as they are there already (stories.md 2.5)."""

FETCHED, INDEXED = "fetched", "indexed"
"""The words of steps whose counts have names of their own in the summary as JSON."""


MOST_UNREAD = 20
"""The most inputs that were not read, with their reasons, in a summary for a person."""


class Summary(msgspec.Struct, kw_only=True):
    """The counts of a run. Each queued message is in exactly one of the counts on the right side:

    queued + carried_over = at the goal + reindexed + duplicates + discarded + quarantined + left

    where messages that steps after the goal discarded or quarantined count only at the goal.
    `accounted` says whether both sides are equal; a flavor that declares no goal is not checked.
    `done` has the numbers of finished messages by the words of the flavor's steps; `fetched` and
    `indexed` are two of them. `endings` has the messages at the goal by status. `unarchived`
    messages have reached the goal, and wait for a later step. `in_quarantine` has the messages in
    the quarantines after the run, with those of earlier runs. `inputs` has the numbers of inputs by
    the result of reading: success, failed, or skipped, as it was read before. `reasons` has the
    first message of each status that was discarded or skipped, and why. `failed_programs` has, by
    step, why its program failed, and how often.
    """

    queued: int
    carried_over: int
    fetched: int
    indexed: int
    duplicates: int
    discarded: Mapping[str, int]
    quarantined: Mapping[str, int]
    left: int
    skipped: Mapping[str, int]
    retried: Mapping[str, int]
    warc_files: Sequence[str]
    seconds: float
    complete: bool
    accounted: bool
    index: str = ""
    unarchived: int = 0
    unread: Sequence[str] = ()
    reindexed: Mapping[str, int] = {}
    differences: DifferencesReport | None = None
    done: Mapping[str, int] = {}
    endings: Mapping[str, int] = {}
    in_quarantine: int = 0
    inputs: Mapping[str, int] = {}
    reasons: Mapping[str, str] = {}
    failed_programs: Mapping[str, str] = {}


class Before(msgspec.Struct, frozen=True):
    """Messages in the queues before or after a run: those that wait for a step up to the goal,
    those in the quarantines of all steps, and those that wait for a step after the goal."""

    waiting: int
    quarantined: int
    unarchived: int = 0


def summarize(
    pipeline: Pipeline,
    tally: Tally,
    before: Before,
    after: Before,
    *,
    seconds: float,
    complete: bool,
    unread: Sequence[str] = (),
) -> Summary:
    """Make the summary of a flavor's run."""
    goal = pipeline.goal
    discarded = Counter(tally.by_status(OutcomeKind.DISCARD))
    duplicates = sum(discarded.pop(status, 0) for status in DUPLICATES)
    quarantined = Counter(tally.by_status(OutcomeKind.QUARANTINE))
    unreported = after.quarantined - before.quarantined - quarantined.total()
    if unreported > 0:
        # The broker quarantines a message that has killed its program too often.
        quarantined["delivery-limit"] += unreported
    queued, arrived = tally.count(OutcomeKind.QUEUED), tally.by_status(OutcomeKind.DONE, goal.name)
    reindexed = {status: count for status, count in arrived.items() if status in REINDEXED}
    done = {word: finished(tally, steps) for word, steps in pipeline.counts.items()}
    if goal.counts:
        done[goal.counts] -= sum(reindexed.values())
    ended = (
        sum(arrived.values())
        + tally.count(OutcomeKind.DISCARD)
        + quarantined.total()
        + after.waiting
    )
    # They have arrived, and are counted there.
    again = (OutcomeKind.DISCARD, OutcomeKind.QUARANTINE)
    ended -= sum(tally.count(kind, step) for step in pipeline.aside for kind in again)
    return Summary(
        queued=queued,
        carried_over=before.waiting,
        fetched=done.get(FETCHED, 0),
        indexed=done.get(INDEXED, 0),
        duplicates=duplicates,
        discarded=dict(discarded.most_common()),
        quarantined=dict(quarantined.most_common()),
        left=after.waiting,
        skipped=dict(tally.by_status(OutcomeKind.SKIPPED)),
        retried=dict(tally.by_status(OutcomeKind.RETRY)),
        warc_files=tally.made,
        seconds=round(seconds, 1),
        complete=complete,
        accounted=not goal.goal or queued + before.waiting == ended,
        unarchived=after.unarchived,
        unread=unread,
        reindexed=reindexed,
        done=done,
        endings={status: count for status, count in arrived.items() if status not in reindexed},
        in_quarantine=after.quarantined,
        inputs=tally.inputs,
        reasons=tally.reasons,
    )


def finished(tally: Tally, steps: Iterable[str]) -> int:
    """Return how many messages some steps have finished."""
    return sum(tally.count(OutcomeKind.DONE, step) for step in steps)


def show(summary: Summary, pipeline: Pipeline, console: Console) -> None:
    """Print the summary of a flavor's run for a person."""
    table = Table(show_header=False, box=None, padding=(0, 2))
    table.add_column(style="bold")
    table.add_column(justify="right")
    table.add_column()
    for name, number, about in _rows(summary, pipeline):
        table.add_row(name, str(number), about)
    for why in summary.unread[:MOST_UNREAD]:
        table.add_row("not read", "", why)
    if (more := len(summary.unread) - MOST_UNREAD) > 0:
        table.add_row("not read", "", f"and {more} more: --json lists all")
    table.add_row("seconds", f"{summary.seconds:.1f}", "")
    console.print(fitted(table, console))
    for url in summary.warc_files:
        console.print(f"  {place(url)}", soft_wrap=True, highlight=False, markup=False)
    if not summary.queued + summary.carried_over + summary.unarchived + len(summary.unread):
        say(console, _nothing_queued(summary))
    # An input of which nothing was accepted is not done, and `unread` has the same advice.
    if summary.queued and not any(summary.done.values()):
        advise(console, summary.reasons, "--force reads the inputs again")
    if not summary.accounted:
        console.print("The counts do not add up: a program was killed before it could report.")


def advise(console: Console, reasons: Mapping[str, str], again: str = "") -> None:
    """Print the dropped messages that an option would have let pass, and how to do them again."""
    for why in reasons.values():
        if (advice := with_option(why)) != why:
            say(console, f"Dropped: {advice}{again and f'; {again}'}")


def _nothing_queued(summary: Summary) -> str:
    """Say why no message was queued, although all inputs could be read."""
    if not summary.complete:
        return "Stopped before anything was queued."
    if summary.inputs.get("skipped"):
        return "Nothing new: inputs that were read before are skipped; --force reads them again."
    return "Nothing new: the inputs have no stories."


def _rows(summary: Summary, pipeline: Pipeline) -> Iterator[tuple[str, int, str]]:
    """Yield the counts: name, number, and what there is to say of it."""
    yield "queued", summary.queued, ""
    if summary.carried_over:
        yield "from before", summary.carried_over, ""
    for word, number in summary.done.items():
        endings = listed(summary.endings) if word == pipeline.goal.counts else ""
        yield word, number, summary.index if word == INDEXED else endings
    if summary.reindexed:
        yield "looked at again", sum(summary.reindexed.values()), listed(summary.reindexed)
    yield "duplicates", summary.duplicates, ""
    for name in ("discarded", "quarantined", "skipped"):
        reasons: Mapping[str, int] = getattr(summary, name)
        yield name, sum(reasons.values()), listed(reasons)
    if summary.in_quarantine > sum(summary.quarantined.values()):
        yield "in quarantine", summary.in_quarantine, "with those of earlier runs: qutil list"
    if summary.left:
        yield "left", summary.left, "still in the queues: the next run continues"
    if summary.unarchived:
        steps = [step for step in pipeline.steps if step.name in pipeline.aside]
        words = [step.counts or step.name for step in steps if not step.only_with]
        yield f"not {', '.join(words)}", summary.unarchived, "yet: the next run continues"
    if nouns := {step.makes: None for step in pipeline.steps if step.makes}:
        yield " and ".join(nouns), len(summary.warc_files), ""


def place(url: str) -> str:
    """Return the place of a file as a person types it into a shell: relative to the directory."""
    path = str(path_of(url)) if url.startswith("file:") else url
    return shlex.quote(path.removeprefix(f"{Path.cwd()}/"))


def dropped(tally: Tally) -> dict[str, int]:
    """Return the counts of all messages that were discarded or quarantined, by status."""
    return {**tally.by_status(OutcomeKind.DISCARD), **tally.by_status(OutcomeKind.QUARANTINE)}


def listed(reasons: Mapping[str, int]) -> str:
    """Return `http-404 3, dups 1`."""
    return ", ".join(f"{status} {count}" for status, count in reasons.items())


WARC = (".warc", ".warc.gz")


def suggest(console: Console, search: str, archives: Sequence[str]) -> None:
    """Print the commands that search the stories, and that list the first archive."""
    if search:
        say(console, f"\nSearch them:   {this_command()} search{search}")
    for url in [url for url in archives if url.endswith(WARC)][:1]:
        say(console, f"Look inside:   {this_command()} warc list {place(url)}")
