"""The version of a database's tables."""

from collections.abc import Iterator

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from indexer import feeds, jobs, pipeview
from indexer.database import Database, open_database
from indexer.database.versions import newest, stored
from tests.database.test_database import PACKAGE, VERSIONS
from tests.each_row import each_row


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = open_database(database_url)
    yield opened
    opened.close()


@each_row(
    "package", [PACKAGE, *(f"{each.__name__}.migrations" for each in (feeds, jobs, pipeview))]
)
def test_the_newest_version_is_the_one_that_alembic_makes(package: str) -> None:
    config = Config()
    parent, _, name = package.rpartition(".")
    config.set_main_option("script_location", f"{parent}:{name}")
    assert [newest(package)] == ScriptDirectory.from_config(config).get_heads()


def test_the_version_of_tables_is_the_one_that_alembic_has_stored(database: Database) -> None:
    with database.reading() as connection:
        assert stored(connection, VERSIONS) is None
    database.migrate(PACKAGE, VERSIONS)
    with database.reading() as connection:
        assert stored(connection, VERSIONS) == newest(PACKAGE)
