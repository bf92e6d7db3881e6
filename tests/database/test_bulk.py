"""Many rows in one statement, on each database."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

import pytest
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    select,
)
from sqlalchemy.dialects import postgresql

from indexer.database import Database, open_database
from indexer.database.bulk import insert_rows, update_rows
from indexer.errors import RefusedValue
from tests.each_row import each_row

things = Table(
    "things",
    MetaData(),
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("name", String, unique=True),
    Column("seen", DateTime),
    Column("day", Date),
    Column("number", Float),
    Column("good", Boolean),
    Column("key", LargeBinary),
)

MOMENT = datetime(2026, 11, 21, 12, 30, 15, 123456)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = open_database(database_url)
    with opened.writing() as connection:
        things.metadata.create_all(connection)
    yield opened
    opened.close()


def row(key: int, /, **columns: Any) -> dict[str, Any]:
    return {
        "id": key,
        "name": f"n{key}",
        "seen": MOMENT,
        "day": MOMENT.date(),
        "number": 0.25,
        "good": True,
        "key": bytes(range(16)),
        **columns,
    }


def insert(database: Database, *rows: dict[str, Any]) -> None:
    with database.writing() as connection:
        insert_rows(database, connection, database.insert(things), rows)


def there(database: Database) -> list[dict[str, Any]]:
    with database.reading() as connection:
        found = connection.execute(select(things).order_by(things.c.id)).mappings()
        return [dict(each) for each in found]


@each_row(
    "columns",
    [
        {},
        {"name": None, "seen": None, "day": None, "number": None, "good": None, "key": None},
        {"name": ""},
        {"name": "quotes \" and ' and \\ and \\x00ff and \\n"},
        {"name": "line\nbreak\ttab"},
        {"name": "ὕδωρ 水 💧 \u2028"},
        {"name": "null"},
        {"seen": datetime(2026, 1, 1)},
        {"seen": datetime(1, 1, 1), "day": date(9999, 12, 31)},
        {"number": 1e-9, "good": False},
        {"key": b""},
        {"id": 2**40},
    ],
)
def test_written_rows_are_read(database: Database, columns: dict[str, Any]) -> None:
    insert(database, row(1, **columns))
    assert there(database) == [row(1, **columns)]
    with database.writing() as connection:
        connection.execute(things.delete())


def test_thousands_of_rows_are_one_call(database: Database) -> None:
    insert(database, *(row(number) for number in range(5000)))
    assert there(database) == [row(number) for number in range(5000)]


def test_ids_are_given_in_the_order_of_the_rows(database: Database) -> None:
    names = [f"n{number * 7919 % 1000}" for number in range(1000)]
    with database.writing() as connection:
        found = insert_rows(
            database,
            connection,
            database.insert(things),
            [{"name": name} for name in names],
            things.c.id,
            things.c.name,
        )
        ids = {name: id for id, name in found}
    assert sorted(names, key=ids.__getitem__) == names


def test_a_conflict_ends_as_the_statement_says(database: Database) -> None:
    insert(database, row(1))
    statement = database.insert(things)
    ignored = statement.on_conflict_do_nothing()
    counted = statement.on_conflict_do_update(
        index_elements=[things.c.id], set_={"number": statement.excluded.number}
    )
    with database.writing() as connection:
        insert_rows(database, connection, ignored, [row(1, number=5.0), row(2)])
        insert_rows(database, connection, counted, [row(2, number=7.0), row(3)])
    assert [each["number"] for each in there(database)] == [0.25, 7.0, 0.25]


@pytest.mark.external
@pytest.mark.parametrize("bad", ["a\0b", "a\ud800b"])
def test_a_text_that_cannot_be_stored_is_a_refused_value(postgresql_url: str, bad: str) -> None:
    database = open_database(postgresql_url)
    with database.writing() as connection:
        things.metadata.create_all(connection)
    with pytest.raises((RefusedValue, ValueError)):
        insert(database, row(1, name=bad))
    assert there(database) == []
    database.close()


def test_an_existing_key_is_refused(database: Database) -> None:
    insert(database, row(1))
    with pytest.raises(RefusedValue):
        insert(database, row(1))


def test_rows_are_updated_by_their_key_and_others_stay(database: Database) -> None:
    insert(database, row(1), row(2), row(3))
    changes: list[dict[str, Any]] = [
        {"id": 1, "name": None, "seen": None, "good": False},
        {"id": 3, "name": "new", "seen": MOMENT, "good": True},
        {"id": 99, "name": "nobody", "seen": None, "good": None},
    ]
    with database.writing() as connection:
        update_rows(database, connection, things, changes)
    assert there(database) == [
        row(1, name=None, seen=None, good=False),
        row(2),
        row(3, name="new"),
    ]


def test_rows_are_found_by_one_of_many_keys(database: Database) -> None:
    keys = [b"", b"\\", b'"\x00,}', bytes(range(16)), "é".encode()]
    insert(database, *(row(number, key=key) for number, key in enumerate(keys)))
    for wanted in ([], keys[1:3], [*keys, b"unknown"]):
        chosen = select(things.c.key).where(database.among(things.c.key, wanted))
        with database.reading() as connection:
            found = {bytes(key) for key in connection.scalars(chosen)}
        assert found == set(wanted) & set(keys)


def test_postgresql_gets_many_keys_as_an_array() -> None:
    database = open_database("postgresql://nobody@localhost/nothing")
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call] # SQLAlchemy has no type for it
    text = str(database.among(things.c.key, [b"a", b"b"]).compile(dialect=dialect))
    # A cast of another type would be computed for each row, instead of once.
    assert text == "things.key = ANY (%(param_1)s::BYTEA[])"
    database.close()
