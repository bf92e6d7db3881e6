"""Problems of programs, as a person reads them."""

import io

import pytest
from rich.console import Console

from indexer.commands.running.telling import advising, show_ends, tell_new
from indexer.errors import BrokerError, StorageError
from indexer.running.problems import Problems
from pipeline import flavor
from tests.each_row import each_row

CSV = flavor("csv")


@each_row(
    ("step", "text", "says"),
    [
        ("archiver", "AccessDenied: s3://b/x: no", "no → check --archive, and the credentials; "),
        ("archiver", "upload failed: s3://b/x: 503", "503 → check --archive"),
        ("importer", "SearchError: refused", "refused → check --index"),
        ("archiver", "[Errno 28] No space left on device", "device → make room on the disk; "),
        ("fetcher", "BrokerError: q: database or disk is full", "full → make room on the disk"),
        ("fetcher", "StorageError: sites", "fetcher: StorageError: sites\n"),
        ("parser", "killed by \x1b[1mSIGSEGV", "killed by \\u001b[1mSIGSEGV\n"),
    ],
)
def test_a_problem_is_told_with_what_to_do(step: str, text: str, says: str) -> None:
    out, problems = io.StringIO(), Problems()
    problems.add(step, text)
    for _ in range(2):
        tell_new(Console(file=out, width=40), problems, CSV)
    assert says in out.getvalue()
    assert out.getvalue().count("\n") == 1


def test_the_error_of_a_full_disk_has_advice() -> None:
    with pytest.raises(BrokerError, match="disk is full → make room on the disk"), advising():
        raise BrokerError("q: database or disk is full")
    with pytest.raises(StorageError, match=r"away$"), advising():
        raise StorageError("away")


def test_the_ends_of_programs_are_shown_again_at_the_end() -> None:
    out = io.StringIO()
    show_ends(Console(file=out), {"importer": "2 times, the last: SearchError: away"}, CSV)
    assert out.getvalue() == (
        "Failed: importer: 2 times, the last: SearchError: away → check --index, and the "
        "credentials; the same command goes on\n"
    )
