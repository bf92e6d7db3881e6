"""The version of a database's tables. Alembic knows it, too, but is slow to import."""

from importlib import import_module
from pkgutil import iter_modules

from sqlalchemy import Connection, column, inspect, select, table


def newest(package: str) -> str:
    """The version of the tables that the migrations of a package make.

    The modules of its `versions` are named `v0001_tables`, with as many digits each; the number is
    the revision.
    """
    modules = iter_modules(import_module(f"{package}.versions").__path__)
    return max(each.name for each in modules)[1:].partition("_")[0]


def stored(connection: Connection, versions: str) -> str | None:
    """The version of the tables in a database, as its table `versions` has it; None without one."""
    if not inspect(connection).has_table(versions):
        return None
    version: str | None = connection.scalar(
        select(column("version_num")).select_from(table(versions))
    )
    return version
