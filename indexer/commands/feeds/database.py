"""The database of the `feeds` commands, and parameters that several of them have."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from indexer.commands.console.parameters import JSONOptions, column_option
from indexer.errors import ConfigurationError, NotTakenOver
from indexer.feeds.store import FeedsOptions, open_feeds
from indexer.system.options import Options, option

if TYPE_CHECKING:
    from indexer.database import Database
    from indexer.text.tables.columns import Columns

FeedName = Annotated[str, typer.Argument(metavar="FEED", help="The id or URL of a feed.")]
FeedNames = Annotated[list[str], typer.Argument(metavar="FEED", help="The ids or URLs of feeds.")]

COMMAND = "story-indexer feeds"


class FeedsCommandOptions(FeedsOptions, JSONOptions):
    """Options of the commands that have no others."""


class OfSourceOptions(Options):
    """Options of commands that select feeds by their source."""

    source: int | None = option(None, "The feeds of this source.", metavar="ID")


class ListColumnOptions(Options):
    """Options of commands that read lists of feeds."""

    column: list[str] = column_option()

    @property
    def columns(self) -> "Columns":
        """The columns that are read. Raises ConfigurationError."""
        # The help needs none of it.
        from indexer.feeds.registry.feed_lists import FEED_COLUMNS  # noqa: PLC0415

        return FEED_COLUMNS.choosing(self.column)


@contextmanager
def opened(options: FeedsOptions, *, make: bool = False) -> Iterator["Database"]:
    """Open the database of the options, and close it at the end.

    With `make` a missing database is made; otherwise it is a ConfigurationError.
    """
    try:
        # For a misspelt URL most commands must not make an empty database.
        database = open_feeds(options.database, make=make)
    except ConfigurationError as error:
        if make or isinstance(error, NotTakenOver):
            raise
        raise ConfigurationError(f"{error}; `{COMMAND} add` makes one") from error
    with closing(database):
        yield database


def counted(number: int) -> str:
    """Write a number of feeds: 1 feed, 2 feeds."""
    return f"{number:,} feed{'' if number == 1 else 's'}"
