"""`story-indexer`: collect, understand, search and preserve online news."""

import sys

import typer

from indexer.commands import extract, run, search, warc
from indexer.errors import StoryIndexerError

app = typer.Typer(
    help=__doc__,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
app.command()(run.run)
app.command()(search.search)
app.command()(extract.extract)
app.add_typer(warc.app, name="warc")


def main() -> None:
    """Be the `story-indexer` program; an error that was foreseen is one line, status 1."""
    try:
        app()
    except StoryIndexerError as error:
        print(f"story-indexer: {error}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
