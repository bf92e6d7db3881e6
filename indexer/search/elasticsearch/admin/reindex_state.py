"""The progress of a repeated copy: a small JSON file that is replaced whole."""

from pathlib import Path

import msgspec

from indexer.errors import ConfigurationError
from indexer.files.whole_files import write_whole


class ReindexState(msgspec.Struct, frozen=True):
    """The source and target of a copy, and the date up to which everything is copied."""

    source: str
    target: str
    query: str
    date: str = ""


def load(path: Path, wanted: ReindexState) -> ReindexState:
    """Return the state in a file, or `wanted` if there is no file yet.

    Raises ConfigurationError if the file can't be read or is the state of another copy.
    """
    try:
        found = msgspec.json.decode(path.read_bytes(), type=ReindexState)
    except FileNotFoundError:
        return wanted
    except (OSError, msgspec.MsgspecError) as error:
        raise ConfigurationError(f"can't read the state {path}: {error}") from error
    if (found.source, found.target, found.query) != (wanted.source, wanted.target, wanted.query):
        raise ConfigurationError(
            f"{path} is the state of another copy, from {found.source} to {found.target}: "
            "give another file"
        )
    return found


def save(path: Path, state: ReindexState) -> None:
    """Write the state. Raises ConfigurationError: without it the next run would begin anew."""
    try:
        write_whole(path, msgspec.json.format(msgspec.json.encode(state)) + b"\n")
    except OSError as error:
        raise ConfigurationError(f"can't write the state {path}: {error}") from error
