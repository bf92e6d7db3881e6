"""The summary of a run: its counts, for a person and as JSON."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from indexer.messages.outcome import OutcomeKind
from indexer.running.tally import Tally
from indexer.stories.indexing.differences import DifferencesReport

ARCHIVER = "archiver"
"""The step after the index: a story that fails there is indexed already."""

IMPORTER = "importer"
FETCHERS = ("fetcher", "hist-fetcher")

REINDEXED = ("updated", "unchanged", "would-update", "would-create")
"""The importer's statuses of a story that was in the index before, and may be updated."""

DUPLICATES = ("dups", "ilm-dups")
"""The importer's statuses of a story that is indexed already (stories.md 2.5)."""


class Summary(msgspec.Struct, kw_only=True):
    """The counts of a run. Each queued story is in exactly one of the counts on the right side:

    queued + carried_over = indexed + reindexed + duplicates + discarded + quarantined + left

    where stories that the archiver quarantined count only as indexed. `accounted` says whether
    both sides are equal. `unarchived` stories are indexed and wait for the archiver.
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
    index: str
    seconds: float
    complete: bool
    accounted: bool
    unarchived: int = 0
    unread: Sequence[str] = ()
    reindexed: Mapping[str, int] = {}
    differences: DifferencesReport | None = None


class Before(msgspec.Struct, frozen=True):
    """Messages in the queues before or after a run: those that wait for a step before the
    archiver, those in the quarantines of all steps, and those that wait for the archiver."""

    waiting: int
    quarantined: int
    unarchived: int = 0


def summarize(
    tally: Tally,
    before: Before,
    after: Before,
    *,
    index: str,
    seconds: float,
    complete: bool,
    unread: Sequence[str] = (),
) -> Summary:
    """Make the summary of a run; `index` is the index's URL, without credentials."""
    discarded = Counter(tally.by_status(OutcomeKind.DISCARD))
    duplicates = sum(discarded.pop(status, 0) for status in DUPLICATES)
    quarantined = Counter(tally.by_status(OutcomeKind.QUARANTINE))
    unreported = after.quarantined - before.quarantined - quarantined.total()
    if unreported > 0:
        # The broker quarantines a message that has killed its program too often.
        quarantined["delivery-limit"] += unreported
    queued, imported = tally.count(OutcomeKind.QUEUED), tally.by_status(OutcomeKind.DONE, IMPORTER)
    reindexed = {status: count for status, count in imported.items() if status in REINDEXED}
    ended = (
        sum(imported.values())
        + tally.count(OutcomeKind.DISCARD)
        + quarantined.total()
        + after.waiting
    )
    # They were indexed, and are counted as such.
    ended -= tally.count(OutcomeKind.QUARANTINE, ARCHIVER)
    return Summary(
        queued=queued,
        carried_over=before.waiting,
        fetched=sum(tally.count(OutcomeKind.DONE, step) for step in FETCHERS),
        indexed=sum(imported.values()) - sum(reindexed.values()),
        duplicates=duplicates,
        discarded=dict(discarded.most_common()),
        quarantined=dict(quarantined.most_common()),
        left=after.waiting,
        skipped=dict(tally.by_status(OutcomeKind.SKIPPED)),
        retried=dict(tally.by_status(OutcomeKind.RETRY)),
        warc_files=tally.archives,
        index=index,
        seconds=round(seconds, 1),
        complete=complete,
        accounted=queued + before.waiting == ended,
        unarchived=after.unarchived,
        unread=unread,
        reindexed=reindexed,
    )


def show(summary: Summary, console: Console) -> None:
    """Print the summary for a person."""
    table = Table(show_header=False, box=None, padding=(0, 2))
    table.add_column(style="bold")
    table.add_column(justify="right")
    table.add_column()
    table.add_row("queued", str(summary.queued), "")
    if summary.carried_over:
        table.add_row("from before", str(summary.carried_over), "")
    table.add_row("fetched", str(summary.fetched), "")
    table.add_row("indexed", str(summary.indexed), summary.index)
    if summary.reindexed:
        total = sum(summary.reindexed.values())
        table.add_row("looked at again", str(total), listed(summary.reindexed))
    table.add_row("duplicates", str(summary.duplicates), "")
    for name in ("discarded", "quarantined", "skipped"):
        reasons: Mapping[str, int] = getattr(summary, name)
        table.add_row(name, str(sum(reasons.values())), listed(reasons))
    if summary.left:
        table.add_row("left", str(summary.left), "still in the queues: the next run continues")
    if summary.unarchived:
        table.add_row("not archived", str(summary.unarchived), "yet: the next run continues")
    for why in summary.unread:
        table.add_row("not read", "", why)
    table.add_row("archives", str(len(summary.warc_files)), "")
    table.add_row("seconds", f"{summary.seconds:.1f}", "")
    console.print(table)
    for url in summary.warc_files:
        console.print(f"  {place(url)}", soft_wrap=True, highlight=False, markup=False)
    if not summary.queued + summary.carried_over + summary.unarchived + len(summary.unread):
        console.print(
            "Nothing new: inputs that were read before are skipped; --force reads them again."
        )
    if not summary.accounted:
        console.print("The counts do not add up: a program was killed before it could report.")


def place(url: str) -> str:
    """Return the place of an archive as a person would type it: relative to the directory."""
    path = url.removeprefix("file://")
    here = f"{Path.cwd()}/"
    return path.removeprefix(here)


def dropped(tally: Tally) -> dict[str, int]:
    """Return the counts of all messages that were discarded or quarantined, by status."""
    return {**tally.by_status(OutcomeKind.DISCARD), **tally.by_status(OutcomeKind.QUARANTINE)}


def listed(reasons: Mapping[str, int]) -> str:
    """Return `http-404 3, dups 1`."""
    return ", ".join(f"{status} {count}" for status, count in reasons.items())
