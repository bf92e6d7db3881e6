"""The collector: from messages of crumbs to counts in a database."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path

import pytest

from indexer.errors import Discard, StorageError
from indexer.messages.worker import Done
from indexer.metrics import attached
from indexer.metrics.snapshot import Snapshot
from indexer.pipeview.crumbs import Crumb, Crumbs
from indexer.pipeview.store import CrumbStore
from indexer.programs.settings import BatchOptions
from indexer.system.options import CommandLine
from indexer.system.patience import Patience
from tests.each_row import each_row
from tests.pipeview.counted import TODAY, a_crumb, rows
from workers.pipeview.pipeview import MOST_APPS, Collector, CollectorOptions, Ending


@pytest.fixture
def collector(tmp_path: Path) -> Iterator[Collector]:
    made = Collector(
        CollectorOptions(data=tmp_path, days=10),
        today=lambda: TODAY,
        patience=Patience(sleep=lambda _: None, attempts=3),
    )
    yield made
    made.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[CrumbStore]:
    """The collector's store."""
    opened = CrumbStore.open(f"sqlite:///{tmp_path / 'pipeview.sqlite3'}")
    yield opened
    opened.close()


@pytest.fixture
def counted() -> Iterator[Callable[[], dict[str, float]]]:
    """Returns the counted metrics by name and label."""
    snapshot = Snapshot()
    with attached(snapshot):
        yield lambda: {
            ".".join([row["name"], *row["labels"].values()]): row["value"]
            for row in snapshot.rows()
            if row["value"]
        }


def sent(*crumbs: Crumb) -> Crumbs:
    """Return a message of crumbs."""
    return Crumbs.load(Crumbs(app="fetcher", sent_at=1.5, crumbs=[*crumbs]).dump())


def raw(*lines: str) -> Crumbs:
    """Return a message of these lines."""
    return Crumbs.load("\n".join(lines).encode())


def statuses(endings: Sequence[Ending]) -> list[tuple[str, str]]:
    return [(type(each).__name__, each.status) for each in endings]


def test_a_batch_is_added_up(
    collector: Collector, store: CrumbStore, counted: Callable[[], dict[str, float]]
) -> None:
    collector.add(sent(a_crumb(), a_crumb(), a_crumb(app="parser")))
    collector.add(sent(a_crumb()))
    assert collector.flush() == [Done((), "vers-ok")] * 2
    assert rows(store, "app") == [("fetcher", 3, 1), ("parser", 1, 1)]
    assert counted() == {"msgs.vers-ok": 2, "crumbs.fetcher": 3, "crumbs.parser": 1}


def test_only_so_many_steps_have_numbers_of_their_own(
    collector: Collector, store: CrumbStore, counted: Callable[[], dict[str, float]]
) -> None:
    collector.add(sent(*(a_crumb(app=f"app-{number}") for number in range(2 * MOST_APPS))))
    collector.flush()
    collector.add(sent(a_crumb(app="app-0"), a_crumb(app="more")))
    collector.flush()
    numbers = {name: value for name, value in counted().items() if name.startswith("crumbs.")}
    assert numbers == {
        **{f"crumbs.app-{number}": 1 for number in range(1, MOST_APPS)},
        "crumbs.app-0": 2,
        "crumbs.other": MOST_APPS + 1,
    }
    assert len(rows(store, "app")) == 2 * MOST_APPS + 1


def test_a_message_that_comes_again_is_counted_once(
    collector: Collector, store: CrumbStore
) -> None:
    again = sent(a_crumb())
    collector.add(again)
    collector.add_again(again)
    assert statuses(collector.flush()) == [("Done", "vers-ok"), ("Discard", "dups")]
    collector.add_again(again)
    assert statuses(collector.flush()) == [("Discard", "dups")]
    assert rows(store) == [(1, 1)]


LINE = '{"date": "2026-01-15", "app": "parser", "status": "success"}'


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ([], "empty"),
        (['{"version": [1, 0, 0]}'], "empty"),
        (["{}", LINE], "no-vers"),
        (['{"version": [2, 0, 0]}', LINE], "too-new"),
        (['{"version": [2, 0, 0]}', "of another kind"], "too-new"),
    ],
)
def test_a_message_that_cannot_be_counted_is_dropped(
    collector: Collector,
    counted: Callable[[], dict[str, float]],
    lines: list[str],
    status: str,
) -> None:
    with pytest.raises(Discard) as raised:
        collector.add(raw(*lines))
    assert raised.value.status == status
    assert counted() == {f"msgs.{status}": 1}
    assert collector.flush() == []


def test_bad_lines_cost_only_themselves(
    collector: Collector, store: CrumbStore, counted: Callable[[], dict[str, float]]
) -> None:
    collector.add(raw('{"version": [1, 0, 0]}', LINE, "not json", '{"app": 1}', LINE))
    collector.flush()
    assert rows(store) == [(2, 1)]
    assert counted() == {"msgs.vers-ok": 1, "lines.bad": 2, "crumbs.parser": 2}


@pytest.mark.parametrize(
    ("day", "stories"),
    [
        ("0001-01-01", 0),
        ("2026-01-04", 0),
        ("2026-01-05", 1),
        ("2026-01-16", 1),
        ("2026-01-17", 0),
        ("9999-12-31", 0),
    ],
)
def test_only_crumbs_of_days_that_are_kept_are_counted(
    collector: Collector,
    store: CrumbStore,
    counted: Callable[[], dict[str, float]],
    day: str,
    stories: int,
) -> None:
    collector.add(sent(a_crumb(day=day)))
    assert statuses(collector.flush()) == [("Done", "vers-ok")]
    selected = [row for row in rows(store, "date") if row[0] == day]
    assert len(selected) == stories
    assert counted().get("lines.stale", 0) == 1 - stories


def test_a_batch_ends_when_it_has_many_crumbs(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.pipeview.pipeview.MAX_CRUMBS", 3)
    collector.add(sent(a_crumb(), a_crumb()))
    assert not collector.full
    collector.add(sent(a_crumb()))
    assert collector.full
    collector.flush()
    assert not collector.full


def test_an_empty_batch_is_normal(collector: Collector) -> None:
    assert list(collector.flush()) == []


class Away:
    """Makes a store fail some times, before or after it has counted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, failures: int, *, after: bool) -> None:
        self.asked = 0
        add = CrumbStore.add

        def failing(store: CrumbStore, batch: object, today: date) -> set[str]:
            self.asked += 1
            fails = self.asked <= failures
            counted = add(store, batch, today) if after or not fails else set()  # type: ignore[arg-type]  # passed on
            if fails:
                raise StorageError("it is gone")
            return counted

        monkeypatch.setattr(CrumbStore, "add", failing)


@pytest.mark.parametrize("after", [False, True])
def test_a_database_that_comes_back_is_asked_again_and_counts_once(
    collector: Collector, store: CrumbStore, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    away = Away(monkeypatch, 2, after=after)
    collector.add(sent(a_crumb()))
    collector.flush()
    assert away.asked == 3
    assert rows(store) == [(1, 1)]


def test_a_database_that_stays_away_ends_the_program(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    Away(monkeypatch, 99, after=False)
    collector.add(sent(a_crumb()))
    with pytest.raises(StorageError):
        collector.flush()


def test_options_are_those_that_operators_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://user:hunter2@db/pipeview")
    monkeypatch.setenv("PIPEVIEW_DAYS", "30")
    monkeypatch.setenv("BREADCRUMB_EXCHANGE", "breadcrumb")
    line = CommandLine("pipeview", "", [CollectorOptions, BatchOptions], ["--batch-size", "5"])
    options = line.take(CollectorOptions)
    assert options.database == "postgresql://user:hunter2@db/pipeview"
    assert (options.days, line.take(BatchOptions).batch_size) == (30, 5)
    assert "hunter2" not in repr(options)
    # It would count its own messages, and so send some, and so on.
    assert options.breadcrumb_exchange == ""


@each_row("days", ["0", "-1", "1000000000000", "x"])
def test_days_are_some(days: str) -> None:
    with pytest.raises(SystemExit):
        CollectorOptions.parse("pipeview", "", ["--days", days])
