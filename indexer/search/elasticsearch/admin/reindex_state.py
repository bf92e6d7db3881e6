"""How far a copy that is repeated has come: a small file of JSON, replaced whole."""

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from indexer.errors import ConfigurationError


class ReindexState(msgspec.Struct, frozen=True):
    """What is copied where, and up to which `indexed_date` everything has been."""

    source: str
    target: str
    query: str
    date: str = ""


def load(path: Path, wanted: ReindexState) -> ReindexState:
    """The state that a file has, or `wanted`, if there is no file yet.

    Raises ConfigurationError if it can't be read, or is that of another copy.
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
    aside = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        with aside.open("wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(state)) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError as error:
        with suppress(OSError):
            aside.unlink()
        raise ConfigurationError(f"can't write the state {path}: {error}") from error
