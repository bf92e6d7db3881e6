"""The start and the end of a command: exit status, and one line for each kind of error."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import typer

from indexer.errors import ConfigurationError, StoryIndexerError
from indexer.system.escaping import escaped
from indexer.system.permissions import private_files
from indexer.system.signals import INTERRUPTED


def enter(app: typer.Typer, name: str) -> None:
    """Run the command of that name. Exit with status 2 for bad options, 1 for other errors, 130
    after Ctrl-C.

    Unknown options are status 2, too: typer's own.
    """
    try:
        try:
            with private_files():
                # Without a name, click would show the path of the script in the usage.
                app(prog_name=name)
        finally:
            sys.stdout.flush()
    except StoryIndexerError as error:
        _end(f"{name}: {error}", 2 if isinstance(error, ConfigurationError) else 1)
    except BrokenPipeError:
        _end("", 0)
    except OSError as error:
        # No permission, a full disk.
        where = f": {error.filename}" if error.filename else ""
        _end(f"{name}: {error.strerror or error}{where}", 1)
    except KeyboardInterrupt:
        _end("", INTERRUPTED)


@contextmanager
def quiet_pipe() -> Iterator[None]:
    """End silently when the reader of the output has gone, as in `| head`."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon_output()
        raise typer.Exit(0) from None


def _end(line: str, status: int) -> None:
    with suppress(OSError):
        if line:
            print(escaped(line), file=sys.stderr)
    _abandon_output()
    sys.exit(status)


def _abandon_output() -> None:
    """Drop output that can't be written: Python flushes it at exit, and would fail again."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
