"""The tracker: states of inputs, claims, and leases."""

import os
import socket
import sqlite3
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from indexer.errors import InputError, StorageError
from indexer.inputs.tracker import (
    Claim,
    File,
    InputState,
    ReadingProgress,
    Tracker,
    base_name,
    judge,
)
from tests.each_row import each_row
from tests.patience import PATIENCE

NOW = 1_000_000.0
HOUR = 3600.0
NAME = "s3://bucket/2024/urls.csv.gz"
DEAD = 2**22 + 1
"""A process id that does not exist: it is above the highest of Linux."""


class Clock:
    """A clock that stands still."""

    now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "program" / "file-tracker.sqlite3"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tracker(path: Path, clock: Clock) -> Tracker:
    return Tracker(path, clock=clock, lease=100.0)


def other(path: Path, clock: Clock) -> Tracker:
    """The tracker of another process."""
    return Tracker(path, clock=clock, lease=100.0)


def claimed(tracker: Tracker, name: str, version: str) -> Claim:
    """The claim on an input that is free."""
    claim = tracker.claim(name, version)
    assert claim is not None
    return claim


def held(
    version: str = "v1", owner: str = "x", host: str = "", pid: int = 0, lease: float = NOW + 1
) -> ReadingProgress:
    """The progress of a file with 7 items in the queue."""
    return ReadingProgress(
        version, 7, owner, host or socket.gethostname(), pid or os.getpid(), lease
    )


FINISHED, STARTED = File("FINISHED", 0), File("STARTED", int(NOW - HOUR))
OLD = File("STARTED", int(NOW - 25 * HOUR))


@each_row(
    ("file", "progress", "cleanup", "state"),
    [
        (None, None, False, InputState.NEW),
        # Rows of the older system, which has neither versions nor owners.
        (FINISHED, None, False, InputState.FINISHED),
        (File("finished", 0), None, True, InputState.FINISHED),
        (STARTED, None, False, InputState.TAKEN),
        (STARTED, None, True, InputState.TAKEN),
        (OLD, None, False, InputState.TAKEN),
        (OLD, None, True, InputState.NEW),
        # Rows of this system.
        (FINISHED, held(owner=""), False, InputState.FINISHED),
        (FINISHED, held("v0", owner=""), False, InputState.CHANGED),
        (None, held(owner=""), False, InputState.LEFT),
        (None, held("v0", owner=""), False, InputState.CHANGED),
        (STARTED, held(), False, InputState.TAKEN),
        (STARTED, held(), True, InputState.TAKEN),
        (STARTED, held("v0"), False, InputState.TAKEN),
        (STARTED, held(lease=NOW), False, InputState.LEFT),
        (STARTED, held(pid=DEAD), False, InputState.LEFT),
        (STARTED, held("v0", pid=DEAD), False, InputState.CHANGED),
        (STARTED, held(pid=DEAD, host="elsewhere"), False, InputState.TAKEN),
        (STARTED, held(pid=DEAD, host="elsewhere", lease=NOW - 1), False, InputState.LEFT),
    ],
)
def test_what_is_to_be_done(
    file: File | None, progress: ReadingProgress | None, cleanup: bool, state: InputState
) -> None:
    assert judge(file, progress, "v1", NOW, cleanup=cleanup) is state


def test_a_finished_input_is_skipped(tracker: Tracker, path: Path, clock: Clock) -> None:
    claim = tracker.claim(NAME, "v1")
    assert claim is not None
    with claim:
        claim.finish()
    assert tracker.claim(NAME, "v1") is None
    assert other(path, clock).claim(NAME, "v1") is None
    assert tracker.state(NAME, "v1") is InputState.FINISHED


def test_an_input_that_has_changed_is_read_again_from_its_beginning(tracker: Tracker) -> None:
    with claimed(tracker, NAME, "v1") as claim:
        claim.confirm(3)
        claim.finish()
    with claimed(tracker, NAME, "v2") as claim:
        assert claim.items == 0


def test_a_failing_input_is_not_done_and_goes_on_where_it_stopped(tracker: Tracker) -> None:
    with suppress(RuntimeError), claimed(tracker, NAME, "v1") as claim:
        claim.confirm(2500)
        raise RuntimeError
    assert tracker.state(NAME, "v1") is InputState.LEFT
    with claimed(tracker, NAME, "v1") as claim:
        assert claim.items == 2500


def test_only_one_may_read_an_input(tracker: Tracker, path: Path, clock: Clock) -> None:
    with claimed(tracker, NAME, "v1"):
        assert other(path, clock).claim(NAME, "v1") is None
        assert other(path, clock).state(NAME, "v1") is InputState.TAKEN
    assert other(path, clock).claim(NAME, "v1") is not None


def test_of_many_that_want_an_input_one_gets_it(path: Path) -> None:
    trackers = [Tracker(path) for _ in range(8)]
    claims: list[object] = []
    threads = [
        threading.Thread(target=lambda t=t: claims.append(t.claim(NAME, "v1"))) for t in trackers
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in trackers:
        each.close()
    assert len([claim for claim in claims if claim is not None]) == 1


def test_a_lease_that_is_renewed_holds(tracker: Tracker, path: Path, clock: Clock) -> None:
    with claimed(tracker, NAME, "v1"):
        clock.now += 90
        tracker.renew()
        clock.now += 90
        assert other(path, clock).claim(NAME, "v1") is None


def test_who_lost_its_lease_notices(tracker: Tracker, path: Path, clock: Clock) -> None:
    late = claimed(tracker, NAME, "v1")
    late.confirm(5)
    clock.now += 101
    with claimed(other(path, clock), NAME, "v1") as claim:
        assert claim.items == 5
        with pytest.raises(InputError, match="taken it over"):
            late.confirm(6)
        with pytest.raises(InputError, match="taken it over"):
            late.finish()
        late.__exit__(None, None, None)
        claim.finish()
    assert tracker.state(NAME, "v1") is InputState.FINISHED


def test_a_lease_is_renewed_by_itself(path: Path) -> None:
    clock = Clock()
    tracker = Tracker(path, clock=clock, lease=0.02)
    renewed = threading.Event()
    clock.now += 1
    original = tracker.renew

    def renew() -> None:
        original()
        renewed.set()

    tracker.renew = renew  # type: ignore[method-assign]  # to be told
    assert tracker.claim(NAME, "v1") is not None
    assert renewed.wait(PATIENCE)
    tracker.close()


@each_row(
    ("name", "base"),
    [
        ("/data/2024-01-31.csv.gz", "2024-01-31.csv"),
        ("https://b.example/daily/mc-2024-01-31.rss.gz", "mc-2024-01-31.rss"),
        ("a.gzip", "a"),
        ("a.gz.gz", "a.gz"),
        ("plain", "plain"),
    ],
)
def test_the_older_systems_names(name: str, base: str) -> None:
    assert base_name(name) == base


def test_rows_of_the_older_system_count_and_stay(tracker: Tracker, path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as db:
        db.execute(
            "CREATE TABLE files"
            " (name TEXT PRIMARY KEY, status TEXT NOT NULL, ts INTEGER) WITHOUT ROWID"
        )
        db.execute("INSERT INTO files VALUES ('urls.csv', 'FINISHED', 1700000000)")
    assert tracker.claim(NAME, "v1") is None
    assert tracker.claim("/elsewhere/urls.csv", "v1") is None
    with claimed(tracker, "/elsewhere/new.csv", "v1") as claim:
        claim.finish()
    with sqlite3.connect(path) as db:
        assert list(db.execute("SELECT * FROM files ORDER BY name")) == [
            ("/elsewhere/new.csv", "FINISHED", int(NOW)),
            ("urls.csv", "FINISHED", 1700000000),
        ]


def test_a_started_input_is_a_row_for_the_older_system(tracker: Tracker, path: Path) -> None:
    with claimed(tracker, NAME, "v1"), sqlite3.connect(path) as db:
        assert list(db.execute("SELECT * FROM files")) == [(NAME, "STARTED", int(NOW))]


def test_two_files_of_one_name_are_two(tracker: Tracker) -> None:
    with claimed(tracker, "s3://a/urls.csv", "v1") as claim:
        claim.finish()
    assert tracker.state("s3://b/urls.csv", "v1") is InputState.NEW


def test_a_dry_run_changes_nothing(path: Path, clock: Clock, tracker: Tracker) -> None:
    dry = Tracker(path, dry_run=True, clock=clock)
    with claimed(dry, NAME, "v1") as claim:
        claim.confirm(3)
        claim.finish()
    assert not path.parent.exists()
    with claimed(tracker, NAME, "v1") as claim:
        claim.finish()
    before = path.read_bytes()
    assert dry.claim(NAME, "v1") is None
    with claimed(dry, "another", "v1") as claim:
        claim.finish()
    assert path.read_bytes() == before


def test_a_dry_run_goes_on_where_the_last_run_stopped(path: Path, tracker: Tracker) -> None:
    with claimed(tracker, NAME, "v1") as claim:
        claim.confirm(9)
    assert claimed(Tracker(path, dry_run=True), NAME, "v1").items == 9


def test_a_file_that_is_no_tracker_is_an_error(path: Path, tracker: Tracker) -> None:
    path.parent.mkdir()
    path.write_bytes(b"not a database, but long enough to be one" * 100)
    with pytest.raises(StorageError, match="tracker"):
        tracker.claim(NAME, "v1")
    with pytest.raises(StorageError, match="tracker"):
        tracker.state(NAME, "v1")


def test_a_process_of_another_user_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    def kill(pid: int, signal: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", kill)
    assert held().is_held(NOW)


def test_a_lease_that_can_not_be_renewed_is_tried_again(path: Path) -> None:
    tracker = Tracker(path, lease=0.02)
    tried = threading.Semaphore(0)

    def renew() -> None:
        tried.release()
        raise StorageError("disk full")

    tracker.renew = renew  # type: ignore[method-assign]  # to be told
    with claimed(tracker, NAME, "v1"):
        assert tried.acquire(timeout=PATIENCE)
        assert tried.acquire(timeout=PATIENCE)
    tracker.close()


def test_an_empty_file_is_a_tracker_without_rows(path: Path, tracker: Tracker) -> None:
    path.parent.mkdir()
    path.touch()
    assert tracker.state(NAME, "v1") is InputState.NEW
