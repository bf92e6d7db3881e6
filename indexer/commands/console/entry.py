"""How a command ends: an error that was foreseen is one line and a status, not a traceback."""

import sys

import typer

from indexer.errors import ConfigurationError, StoryIndexerError

INTERRUPTED = 130
"""The exit status of what was stopped: what shells say of a program that Ctrl-C ended."""


def enter(app: typer.Typer, name: str) -> None:
    """Be the command of that name. Exits with status 2 for options that can't work, 1 for the rest.

    Options that there aren't are status 2 too: typer's own.
    """
    try:
        app(prog_name=name)
    except StoryIndexerError as error:
        print(f"{name}: {error}", file=sys.stderr)
        sys.exit(2 if isinstance(error, ConfigurationError) else 1)
