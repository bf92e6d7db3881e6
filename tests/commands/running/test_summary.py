"""What a run has done, in numbers."""

import io
import re
import shlex
from pathlib import Path

import pytest
from rich.console import Console

from indexer.commands.running.summary import Before, place, show, summarize
from indexer.messages.outcome import OutcomeKind
from indexer.running.tally import Tally
from pipeline import flavor
from tests.each_row import each_row

CSV = flavor("csv")
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
    summary = summarize(CSV, RUN, NOTHING, after, seconds=1.26, complete=True)
    assert (summary.queued, summary.fetched, summary.indexed) == (5, 4, 1)
    assert summary.duplicates == 2
    assert summary.discarded == {"http-404": 1}
    assert summary.quarantined == {"extract-timeout": 1}
    assert summary.skipped == {"bad": 1}
    assert summary.retried == {"http-429": 1}
    assert summary.seconds == 1.3
    assert summary.accounted


def test_a_person_sees_how_messages_ended_at_the_goal() -> None:
    filesets = flavor("filesets")
    made = tally(
        *[("fileset-queuer", OutcomeKind.QUEUED, "queuing")] * 3,
        *[("fileset-ingester", OutcomeKind.DONE, "success")] * 2,
        ("fileset-ingester", OutcomeKind.DONE, "platform-404"),
    )
    summary = summarize(filesets, made, NOTHING, NOTHING, seconds=1, complete=True)
    assert summary.endings == {"success": 2, "platform-404": 1}
    out = io.StringIO()
    show(summary, filesets, Console(file=out, width=100))
    assert re.search(r"ingested +3 +success 2, platform-404 1 *\n", out.getvalue())


def test_what_the_broker_set_aside_by_itself_is_counted() -> None:
    after = Before(waiting=0, quarantined=3)
    summary = summarize(CSV, RUN, NOTHING, after, seconds=1, complete=True)
    assert summary.quarantined == {"delivery-limit": 2, "extract-timeout": 1}


def test_what_is_left_and_what_was_there_before_are_counted() -> None:
    made = tally(("fetcher", OutcomeKind.DISCARD, "http-404"))
    before, after = Before(waiting=3, quarantined=0), Before(waiting=2, quarantined=0)
    summary = summarize(CSV, made, before, after, seconds=1, complete=False)
    assert summary.accounted
    assert (summary.carried_over, summary.left) == (3, 2)


def test_what_waits_for_the_archiver_is_indexed_already() -> None:
    made = tally(
        *[("rss-queuer", OutcomeKind.QUEUED, "queuing")] * 2,
        *[("importer", OutcomeKind.DONE, "created")] * 2,
        ("archiver", OutcomeKind.QUARANTINE, "no-html"),
    )
    after = Before(waiting=0, quarantined=1, unarchived=1)
    summary = summarize(CSV, made, NOTHING, after, seconds=1, complete=False)
    assert summary.accounted
    assert (summary.indexed, summary.unarchived, summary.left) == (2, 1, 0)
    archived = tally(("archiver", OutcomeKind.DONE, "success"))
    again = summarize(CSV, archived, after, after, seconds=1, complete=True)
    assert again.accounted


def test_a_message_that_a_step_after_the_goal_discards_has_ended_before() -> None:
    made = tally(
        ("fileset-queuer", OutcomeKind.QUEUED, "queuing"),
        ("fileset-ingester", OutcomeKind.DONE, "success"),
        ("fileset-importer", OutcomeKind.DONE, "imported"),
        ("file-importer", OutcomeKind.DISCARD, "skip-multiple-files"),
    )
    summary = summarize(flavor("filesets"), made, NOTHING, NOTHING, seconds=1, complete=True)
    assert summary.accounted
    assert summary.discarded == {"skip-multiple-files": 1}


@each_row("number", ["5", "http-404 1", "extract-timeout 1", "bad 1"])
def test_a_person_is_shown_the_numbers_and_reasons(number: str) -> None:
    out = io.StringIO()
    after = Before(waiting=0, quarantined=1)
    summary = summarize(CSV, RUN, NOTHING, after, seconds=1, complete=True)
    show(summary, CSV, Console(file=out, width=100))
    assert number in out.getvalue()
    assert "do not add up" not in out.getvalue()
    # Two steps of the flavor make archives.
    assert "archives and" not in out.getvalue()


def test_a_later_run_counts_what_lies_in_quarantine() -> None:
    def shown(before: int, after: int) -> str:
        out = io.StringIO()
        queues = Before(waiting=0, quarantined=before), Before(waiting=0, quarantined=after)
        summary = summarize(CSV, RUN, *queues, seconds=1, complete=True)
        assert summary.in_quarantine == after
        show(summary, CSV, Console(file=out, width=100))
        return out.getvalue()

    assert re.search(r"in quarantine +48 +with those of earlier runs", shown(47, 48))
    assert "in quarantine" not in shown(0, 1)


def test_numbers_that_do_not_add_up_are_said_to() -> None:
    out = io.StringIO()
    made = tally(("rss-queuer", OutcomeKind.QUEUED, "queuing"))
    summary = summarize(CSV, made, NOTHING, NOTHING, seconds=1, complete=True)
    show(summary, CSV, Console(file=out, width=100))
    assert "do not add up" in out.getvalue()


@each_row(
    ("inputs", "complete", "says"),
    [
        ({"skipped": 2}, True, "Nothing new: inputs that were read before are skipped; --force"),
        ({"success": 1}, True, "Nothing new: the inputs have no stories."),
        ({"skipped": 1}, False, "Stopped before anything was queued."),
    ],
)
def test_a_run_without_messages_says_why(inputs: dict[str, int], complete: bool, says: str) -> None:
    made = Tally()
    for status, number in inputs.items():
        made.add_inputs(status, number)
    assert says in shown(made, complete=complete)


def test_a_refusal_that_an_option_allows_is_shown_with_the_option() -> None:
    made = tally(("csv-queuer", OutcomeKind.QUEUED, "queuing"))
    made.add_reason("bad-host", "http://intranet/: intranet (10.0.0.3) refused (private)")
    made.add_reason("http-404", "http://a.example/: HTTP 404")
    found = [line for line in shown(made).splitlines() if line.startswith("Dropped")]
    assert len(found) == 1
    assert found[0].endswith(": --allow-private allows it; --force reads the inputs again")


def shown(made: Tally, *, complete: bool = True) -> str:
    """What a person is shown of some counts."""
    out = io.StringIO()
    summary = summarize(CSV, made, NOTHING, NOTHING, seconds=1, complete=complete)
    show(summary, CSV, Console(file=out, width=100))
    return out.getvalue()


def test_places_of_files_can_be_pasted_into_a_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = {
        (tmp_path / "it's new" / "größe 50%.warc.gz").as_uri(): "it's new/größe 50%.warc.gz",
        Path("/srv/archive/a.warc.gz").as_uri(): "/srv/archive/a.warc.gz",
        "s3://bucket/my news/a%20b.warc.gz": "s3://bucket/my news/a%20b.warc.gz",
    }
    assert {url: shlex.split(place(url)) for url in shown} == {k: [v] for k, v in shown.items()}


def test_what_waits_is_named_by_the_steps_that_always_run() -> None:
    out = io.StringIO()
    after = Before(waiting=0, quarantined=0, unarchived=1)
    summary = summarize(CSV, tally(), NOTHING, after, seconds=1, complete=False)
    show(summary, CSV, Console(file=out, width=100))
    assert "not archived  " in out.getvalue()
