"""The table of crumbs: the same promises on SQLite and PostgreSQL."""

from collections import Counter
from datetime import date

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from indexer.database import open_database
from indexer.errors import StorageError
from indexer.pipeview.store import KEYS, CrumbStore, Selection, first_day, metadata
from tests.pipeview.counted import TODAY, a_crumb, put, rows

OLD_TABLE = [
    """
    CREATE TABLE crumb (
        id BIGSERIAL PRIMARY KEY, date VARCHAR NOT NULL, feed_id BIGINT, source_id BIGINT,
        domain VARCHAR, app VARCHAR NOT NULL, status VARCHAR NOT NULL, count BIGINT NOT NULL
    )
    """,
    """
    CREATE UNIQUE INDEX ix_crumb_unique ON crumb
        (date, feed_id, source_id, domain, app, status) NULLS NOT DISTINCT
    """,
    """
    INSERT INTO crumb (date, source_id, app, status, count)
        VALUES ('2026-01-15', 1, 'fetcher', 'success', 41)
    """,
]


def test_the_same_crumbs_are_one_row_that_counts_them(store: CrumbStore) -> None:
    put(store, a_crumb(), a_crumb(), a_crumb("http-404"))
    put(store, a_crumb())
    assert rows(store, *KEYS) == [
        ("2026-01-15", 7, 1, "site.example", "fetcher", "http-404", 1, 1),
        ("2026-01-15", 7, 1, "site.example", "fetcher", "success", 3, 1),
    ]


@pytest.mark.parametrize("unknown", ["feed", "source", "domain"])
def test_a_null_is_a_value_like_others(store: CrumbStore, unknown: str) -> None:
    nameless = {unknown: None}
    put(store, a_crumb(), a_crumb(**nameless))  # type: ignore[arg-type]  # one of three
    put(store, a_crumb(**nameless), a_crumb(feed=None, source=None, domain=None))  # type: ignore[arg-type]
    assert rows(store) == [(4, 3)]


def test_a_message_is_counted_once_however_often_it_comes(store: CrumbStore) -> None:
    assert put(store, a_crumb(), id="one")
    assert not put(store, a_crumb(), id="one")
    batch = {"one": Counter([a_crumb()]), "two": Counter([a_crumb()])}
    assert store.add(batch, TODAY) == {"two"}
    assert rows(store) == [(2, 1)]


def test_a_batch_that_fails_is_not_counted_and_can_be_tried_again(
    store: CrumbStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr("indexer.pipeview.store._row", lambda *_: {"date": None})
        with pytest.raises(StorageError):
            put(store, a_crumb(), id="one")
    assert rows(store) == [(0, 0)]
    assert put(store, a_crumb(), id="one")


def test_an_empty_batch_is_normal(store: CrumbStore) -> None:
    assert store.add({}, TODAY) == set()
    assert put(store)
    assert rows(store) == [(0, 0)]


def test_sums_are_of_the_chosen_columns_in_their_order(store: CrumbStore) -> None:
    put(store, a_crumb(app="parser"), a_crumb("busy"), a_crumb(feed=8), a_crumb(feed=None))
    assert rows(store, "app") == [("fetcher", 3, 3), ("parser", 1, 1)]
    assert rows(store, "feed_id", "status") == [
        (7, "busy", 1, 1),
        (7, "success", 1, 1),
        (8, "success", 1, 1),
        (None, "success", 1, 1),
    ]


def test_of_nothing_there_are_no_rows_and_the_total_is_0(store: CrumbStore) -> None:
    assert rows(store, "app") == []
    assert rows(store) == [(0, 0)]


@pytest.mark.parametrize(
    ("values", "stories"),
    [
        ({}, 4),
        ({"feed_id": 7}, 2),
        ({"feed_id": None}, 1),
        ({"source_id": 1, "feed_id": 8}, 1),
        ({"domain": "site.example"}, 3),
        ({"domain": None}, 1),
        ({"app": "parser"}, 1),
        ({"status": "busy"}, 1),
        ({"status": "Busy"}, 0),
        ({"domain": "' OR 1=1 --"}, 0),
    ],
)
def test_a_selection_is_of_these_values(
    store: CrumbStore, values: dict[str, str | int | None], stories: int
) -> None:
    put(store, a_crumb("busy"), a_crumb(app="parser"), a_crumb(feed=8))
    put(store, a_crumb(feed=None, source=None, domain=None))
    assert rows(store, **values)[0][0] == stories


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        (None, None, ["01-13", "01-14", "01-15"]),
        ("2026-01-14", None, ["01-14", "01-15"]),
        (None, "2026-01-14", ["01-13", "01-14"]),
        ("2026-01-14", "2026-01-14", ["01-14"]),
    ],
)
def test_a_selection_is_of_these_days(
    store: CrumbStore, start: str | None, end: str | None, days: list[str]
) -> None:
    put(store, *(a_crumb(day=f"2026-01-{day}") for day in (13, 14, 15)))
    bounds = [date.fromisoformat(day) if day else None for day in (start, end)]
    found = store.sums(["date"], Selection({}, *bounds))
    assert [row["date"] for row in found] == [f"2026-{day}" for day in days]


def test_pages_fit_together(store: CrumbStore) -> None:
    feeds: list[int | None] = [*range(9), None]
    put(store, *(a_crumb(feed=feed) for feed in feeds))
    pages = [[*store.sums(["feed_id"], Selection(), 4, offset)] for offset in (0, 4, 8, 12)]
    assert [len(page) for page in pages] == [4, 4, 2, 0]
    assert [row["feed_id"] for page in pages for row in page] == feeds


def test_the_largest_ids_and_any_text_are_kept(store: CrumbStore) -> None:
    domain = "пример.испытание'\"%;" + "x" * 200
    put(store, a_crumb(feed=2**63 - 1, source=-(2**63), domain=domain))
    assert rows(store, "feed_id", "source_id", "domain") == [
        (2**63 - 1, -(2**63), domain, 1, 1),
    ]


def test_counts_outlive_the_program(database_url: str) -> None:
    for expected in (1, 2):
        store = CrumbStore.open(database_url)
        put(store, a_crumb())
        assert rows(store) == [(expected, 1)]
        store.close()


@pytest.mark.external
def test_the_table_of_the_system_before_is_kept(postgresql_url: str) -> None:
    database = open_database(postgresql_url)
    with database.writing() as connection:
        for statement in OLD_TABLE:
            connection.execute(text(statement))
    database.close()
    store = CrumbStore.open(postgresql_url)
    put(store, a_crumb(feed=None, domain=None))
    assert rows(store) == [(42, 1)]
    store.close()


def test_the_index_keeps_a_second_row_of_the_same_out(store: CrumbStore) -> None:
    row = "('2026-01-15', NULL, NULL, NULL, 'fetcher', 'success', 1)"
    statement = text(f"INSERT INTO crumb ({', '.join(KEYS)}, count) VALUES {row}")  # noqa: S608 - ours
    with store.database.writing() as connection:
        connection.execute(statement)
    with pytest.raises(StorageError) as raised, store.database.writing() as connection:
        connection.execute(statement)
    assert isinstance(raised.value.__cause__, IntegrityError)


def test_the_tables_are_those_of_the_specification(store: CrumbStore) -> None:
    crumb = metadata.tables["crumb"]
    assert [column.name for column in crumb.columns] == ["id", *KEYS, "count"]
    query = "SELECT id, date, feed_id, source_id, domain, app, status, count FROM crumb"
    with store.database.reading() as connection:
        assert connection.execute(text(query)).all() == []


@pytest.mark.external
def test_on_postgresql_the_types_are_those_of_the_specification(postgresql_url: str) -> None:
    store = CrumbStore.open(postgresql_url)
    query = """
        SELECT column_name, data_type, is_nullable FROM information_schema.columns
        WHERE table_name = 'crumb' ORDER BY ordinal_position
    """
    definition = "SELECT indexdef FROM pg_indexes WHERE indexname = 'ix_crumb_unique'"
    with store.database.reading() as connection:
        columns = [tuple(row) for row in connection.execute(text(query))]
        (index,) = connection.scalars(text(definition))
    store.close()
    string = "character varying"
    assert columns == [
        ("id", "bigint", "NO"),
        ("date", string, "NO"),
        ("feed_id", "bigint", "YES"),
        ("source_id", "bigint", "YES"),
        ("domain", string, "YES"),
        ("app", string, "NO"),
        ("status", string, "NO"),
        ("count", "bigint", "NO"),
    ]
    assert index.startswith("CREATE UNIQUE INDEX")
    assert index.endswith("(date, feed_id, source_id, domain, app, status) NULLS NOT DISTINCT")


def test_a_database_that_answers_is_well(store: CrumbStore) -> None:
    store.check()


@pytest.mark.parametrize(
    ("days", "first"), [(1, date(2026, 1, 14)), (90, date(2025, 10, 17)), (10**9, date.min)]
)
def test_the_first_day_is_so_many_days_ago(days: int, first: date) -> None:
    assert first_day(TODAY, days) == first
