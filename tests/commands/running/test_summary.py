"""What a run has done, in numbers."""

import io

import pytest
from rich.console import Console

from indexer.commands.running.summary import Before, show, summarize
from indexer.messages.outcome import OutcomeKind
from indexer.running.tally import Tally

NOTHING = Before(waiting=0, quarantined=0)


def tally(*outcomes: tuple[str, OutcomeKind, str]) -> Tally:
    """Counts of some outcomes."""
    made = Tally()
    for step, kind, status in outcomes:
        made.add(step, kind, status)
    return made


RUN = tally(
    *[("rss-queuer", OutcomeKind.QUEUED, "queuing")] * 5,
    ("rss-queuer", OutcomeKind.SKIPPED, "bad"),
    *[("fetcher", OutcomeKind.DONE, "success")] * 4,
    ("fetcher", OutcomeKind.RETRY, "http-429"),
    ("fetcher", OutcomeKind.DISCARD, "http-404"),
    *[("parser", OutcomeKind.DONE, "OK-trafilatura")] * 3,
    ("parser", OutcomeKind.QUARANTINE, "extract-timeout"),
    ("importer", OutcomeKind.DONE, "created"),
    ("importer", OutcomeKind.DISCARD, "dups"),
    ("importer", OutcomeKind.DISCARD, "ilm-dups"),
    ("archiver", OutcomeKind.DONE, "success"),
)


def test_every_story_is_in_one_of_the_numbers() -> None:
    after = Before(waiting=0, quarantined=1)
    summary = summarize(RUN, NOTHING, after, index="i", seconds=1.26, complete=True)
    assert (summary.queued, summary.fetched, summary.indexed) == (5, 4, 1)
    assert summary.duplicates == 2
    assert summary.discarded == {"http-404": 1}
    assert summary.quarantined == {"extract-timeout": 1}
    assert summary.skipped == {"bad": 1}
    assert summary.retried == {"http-429": 1}
    assert summary.seconds == 1.3
    assert summary.accounted


def test_what_the_broker_set_aside_by_itself_is_counted() -> None:
    after = Before(waiting=0, quarantined=3)
    summary = summarize(RUN, NOTHING, after, index="", seconds=1, complete=True)
    assert summary.quarantined == {"delivery-limit": 2, "extract-timeout": 1}


def test_what_is_left_and_what_was_there_before_are_counted() -> None:
    made = tally(("fetcher", OutcomeKind.DISCARD, "http-404"))
    before, after = Before(waiting=3, quarantined=0), Before(waiting=2, quarantined=0)
    summary = summarize(made, before, after, index="", seconds=1, complete=False)
    assert summary.accounted
    assert (summary.carried_over, summary.left) == (3, 2)


def test_what_waits_for_the_archiver_is_indexed_already() -> None:
    made = tally(
        *[("rss-queuer", OutcomeKind.QUEUED, "queuing")] * 2,
        *[("importer", OutcomeKind.DONE, "created")] * 2,
        ("archiver", OutcomeKind.QUARANTINE, "no-html"),
    )
    after = Before(waiting=0, quarantined=1, unarchived=1)
    summary = summarize(made, NOTHING, after, index="", seconds=1, complete=False)
    assert summary.accounted
    assert (summary.indexed, summary.unarchived, summary.left) == (2, 1, 0)
    again = summarize(
        tally(("archiver", OutcomeKind.DONE, "success")),
        after,
        after,
        index="",
        seconds=1,
        complete=True,
    )
    assert again.accounted


@pytest.mark.parametrize("number", ["5", "http-404 1", "extract-timeout 1", "bad 1"])
def test_a_person_is_shown_the_numbers_and_reasons(number: str) -> None:
    out = io.StringIO()
    after = Before(waiting=0, quarantined=1)
    summary = summarize(RUN, NOTHING, after, index="i", seconds=1, complete=True)
    show(summary, Console(file=out, width=100))
    assert number in out.getvalue()
    assert "do not add up" not in out.getvalue()


def test_numbers_that_do_not_add_up_are_said_to() -> None:
    out = io.StringIO()
    made = tally(("rss-queuer", OutcomeKind.QUEUED, "queuing"))
    show(
        summarize(made, NOTHING, NOTHING, index="", seconds=1, complete=True),
        Console(file=out, width=100),
    )
    assert "do not add up" in out.getvalue()
