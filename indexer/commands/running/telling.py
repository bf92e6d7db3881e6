"""The problems of a run's programs, for a person: what happened, and what to do."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rich.console import Console

from indexer.commands.console.terminal import cell, say
from indexer.errors import BrokerError, SearchError, StorageError
from indexer.messages.pipelines import Pipeline
from indexer.running.problems import Problems

LENGTH = 1000

FULL = ("No space left on device", "disk is full", "Disk quota exceeded")
"""Words in the errors of a full disk."""

AWAY = ("AccessDenied", "StorageError", "NotFound", "SearchError", "upload failed", "index failed")
"""Words in the errors of a store that does not answer, or refuses us."""

OPTIONS = {"ARCHIVE_URL": "--archive", "INDEX_URL": "--index"}
"""The option of a run that names a store, by the setting with its URL; others have no option."""

ROOM = "make room on the disk; the same command goes on"


@contextmanager
def advising() -> Iterator[None]:
    """Add to the error of a full disk what to do."""
    try:
        yield
    except (BrokerError, StorageError, SearchError) as error:
        if _is_full(str(error)):
            raise type(error)(f"{error} → {ROOM}") from error
        raise


def _is_full(text: str) -> bool:
    return any(words in text for words in FULL)


def tell_new(console: Console, problems: Problems, pipeline: Pipeline) -> None:
    """Print the problems that are new, each in a line."""
    for problem in problems.new():
        say(console, told(problem.step, problem.text, pipeline))


def told(step: str, text: str, pipeline: Pipeline) -> str:
    """Return a line: the step, its problem, and what to do, if that is known."""
    found = advice(step, text, pipeline)
    return cell(f"{step}: {text}", LENGTH) + (f" → {found}" if found else "")


def advice(step: str, text: str, pipeline: Pipeline) -> str:
    """Return what to do about a problem; blank if that is not known."""
    if _is_full(text):
        return ROOM
    uses = [each.uses for each in pipeline.steps if each.name == step]
    stores = [OPTIONS.get(setting, setting) for setting in (uses[0] if uses else ())]
    if stores and any(words in text for words in AWAY):
        return f"check {' and '.join(stores)}, and the credentials; the same command goes on"
    return ""


def show_ends(console: Console, ends: Mapping[str, str], pipeline: Pipeline) -> None:
    """Print why programs have failed, at the end of a run."""
    for step, why in ends.items():
        say(console, f"Failed: {told(step, why, pipeline)}")
