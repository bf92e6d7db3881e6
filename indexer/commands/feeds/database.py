"""The database of the `feeds` commands, and what they are all told in the same words."""

from typing import Annotated

import typer

from indexer.database import Database
from indexer.errors import ConfigurationError
from indexer.feeds.store import FeedsOptions, open_feeds
from indexer.system.options import environment

Data = Annotated[
    str,
    typer.Option(
        "--data", metavar="PATH", help="Directory of all that is kept; else DATAROOT, or data."
    ),
]
DatabaseURL = Annotated[
    str,
    typer.Option(
        "--database-url",
        metavar="URL",
        show_default="feeds.sqlite3 in the data directory",
        help="sqlite:///FILE or postgresql://HOST/NAME [env FEEDS_DATABASE_URL, DATABASE_URL]",
    ),
]
FeedName = Annotated[str, typer.Argument(metavar="FEED", help="The id or URL of a feed.")]
FeedNames = Annotated[
    list[str], typer.Argument(metavar="FEED...", help="The ids or URLs of feeds.")
]
OfSource = Annotated[
    int | None, typer.Option("--source", metavar="ID", help="The feeds of this source.")
]

COMMAND = "story-indexer feeds"


class OpenedFeeds:
    """The database of the options, closed at the end.

    One that isn't there is made if asked for (`make`), else a ConfigurationError.
    """

    def __init__(self, url: str, data: str, *, make: bool = False) -> None:
        self._make = make
        given = {"FEEDS_DATABASE_URL": url, "DATAROOT": data}
        asked = {name: value for name, value in given.items() if value}
        self.options = FeedsOptions.of({**environment(), **asked})

    def __enter__(self) -> Database:
        try:
            self._database = open_feeds(self.options.database, make=self._make)
        except ConfigurationError as error:
            if self._make:
                raise
            raise ConfigurationError(f"{error}; `{COMMAND} add` makes one") from error
        return self._database

    def __exit__(self, *_: object) -> None:
        self._database.close()


def counted(number: int) -> str:
    """1 feed, 2 feeds"""
    return f"{number:,} feed{'' if number == 1 else 's'}"
