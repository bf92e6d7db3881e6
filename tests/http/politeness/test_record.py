"""Tests of the file with the state of sites."""

from pathlib import Path

import pytest

from indexer.errors import InputError, Retry
from indexer.http.politeness import Scoreboard, SiteLimits, record
from tests.clock import Clock

EPOCH = 1_700_000_000.0


def board(clock: Clock) -> Scoreboard:
    return Scoreboard(SiteLimits(held=8), clock, jitter=lambda: 0.0)


@pytest.fixture
def saved(tmp_path: Path, clock: Clock) -> Path:
    """The state of three sites at the end of a program."""
    before = board(clock)
    before.reserve("plain.com")
    with before.visit("down.com") as visit:
        visit.unreachable()
    with before.visit("throttled.com") as visit:
        visit.throttled(None)
    record.save(tmp_path / "fetcher" / "sites.json", before, clock(), EPOCH)
    return tmp_path / "fetcher" / "sites.json"


def loaded(path: Path, seconds: float) -> Scoreboard:
    """The scoreboard of a program that starts `seconds` later, on another clock."""
    clock = Clock()
    clock.seconds = 77.0
    after = board(clock)
    record.load(path, after, clock(), EPOCH + seconds)
    return after


def test_a_restart_forgets_nothing_that_matters(saved: Path) -> None:
    after = loaded(saved, 10)

    assert [after.reserve("throttled.com") for _ in range(2)] == [20, 50]
    with pytest.raises(Retry, match="skipped"):
        after.reserve("down.com")
    assert after.reserve("plain.com") == 0


def test_waiting_stories_are_not_counted_after_a_restart(saved: Path) -> None:
    assert loaded(saved, 1).sites()["plain.com"].held == 0


def test_old_records_of_sites_are_not_loaded(saved: Path) -> None:
    assert loaded(saved, 4000).sites() == {}


def test_a_date_that_is_set_back_does_not_block_a_site_for_long(saved: Path) -> None:
    after = loaded(saved, -864_000)

    assert after.reserve("throttled.com") == 30
    assert after.reserve("plain.com") == 5


def test_the_first_start_has_no_file(tmp_path: Path, clock: Clock) -> None:
    record.load(tmp_path / "none.json", board(clock), clock(), EPOCH)


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b'{"saved": 1}', b"\xff",
     b'{"saved": 1, "sites": {"a.com": {"held": "x"}}}', b'{"saved": 1e999, "sites": {}}'],
)  # fmt: skip
def test_an_unreadable_record_is_an_input_error(tmp_path: Path, clock: Clock, data: bytes) -> None:
    path = tmp_path / "sites.json"
    path.write_bytes(data)

    with pytest.raises(InputError, match=r"sites\.json"):
        record.load(path, board(clock), clock(), EPOCH)


def test_a_file_is_written_whole_or_not_at_all(
    saved: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = saved.read_bytes()

    def fail(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match=r".*"):
        record.save(saved, board(clock), clock(), EPOCH)
    assert saved.read_bytes() == known


def test_the_table_has_a_line_for_each_site(tmp_path: Path, clock: Clock) -> None:
    shown = board(clock)
    shown.reserve("a.com")
    with shown.visit("b.com") as visit:
        visit.succeeded(2.0)
        visit.throttled(None)
        record.dump(tmp_path / "slots", shown, SiteLimits(), clock())

    assert (tmp_path / "slots").read_text() == (
        "site\tactive\theld\tnext\tinterval\tlatency\tback-off\tblocked\tdown\n"
        "a.com\t0\t1\t5.0\t5.0\t0.0\t0.0\t0.0\t0.0\n"
        "b.com\t1\t0\t30.0\t30.0\t2.0\t30.0\t30.0\t0.0\n"
    )
