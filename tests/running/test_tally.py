"""Counts of a run."""

from indexer.messages.outcome import OutcomeKind
from indexer.running.tally import Tally, Usage


def test_counts_are_by_step_kind_and_status() -> None:
    tally = Tally()
    for status in ("http-404", "http-404", "robots"):
        tally.add("fetcher", OutcomeKind.DISCARD, status)
    tally.add("parser", OutcomeKind.DISCARD, "too-short")
    tally.add("parser", OutcomeKind.DONE, "OK-trafilatura")
    assert tally.by_status(OutcomeKind.DISCARD, "fetcher") == {"http-404": 2, "robots": 1}
    assert tally.by_status(OutcomeKind.DISCARD) == {"http-404": 2, "robots": 1, "too-short": 1}
    assert tally.count(OutcomeKind.DISCARD) == 4
    assert tally.count(OutcomeKind.DONE, "fetcher") == 0
    assert tally.events == 5


def test_inputs_of_programs_are_added_and_the_first_reason_of_a_status_is_kept() -> None:
    tally = Tally()
    for number in (2, 3):
        tally.add_inputs("skipped", number)
        tally.add_reason("bad-host", f"reason {number}")
    assert (tally.inputs, tally.reasons) == ({"skipped": 5}, {"bad-host": "reason 2"})


def test_usage_of_replicas_is_all_their_time_and_the_largest_memory() -> None:
    tally = Tally()
    tally.used("parser", Usage(1.5, 100))
    tally.used("parser", Usage(2.0, 80))
    assert tally.usage("parser") == Usage(3.5, 100)
    assert tally.usage("fetcher") == Usage(0, 0)
