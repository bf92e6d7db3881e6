"""The end of a command: an expected error is one line and a status, not a traceback."""

import sys

import typer

from indexer.errors import ConfigurationError, StoryIndexerError

INTERRUPTED = 130
"""The exit status after a stop: that of shells for a program that Ctrl-C has ended."""


def enter(app: typer.Typer, name: str) -> None:
    """Run the command of that name. Exit with status 2 for bad options, 1 for other errors.

    Unknown options are status 2, too: typer's own.
    """
    try:
        # Without a name, click would show the path of the script in the usage.
        app(prog_name=name)
    except StoryIndexerError as error:
        print(f"{name}: {error}", file=sys.stderr)
        sys.exit(2 if isinstance(error, ConfigurationError) else 1)
