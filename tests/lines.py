"""A queuer for tests: files of one link a line."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from indexer.errors import InputError
from indexer.inputs.queuers import Named, Queuer, QueuerOptions
from indexer.inputs.tracker import InputState, Tracker
from indexer.messages.worker import Skipped
from indexer.stories.story import RSSEntry, Story


class Lines(Queuer[Story]):
    """Reads a story from each line; `-` is skipped, `broken` fails, `+ URL` names another input."""

    name = "lines"

    def process_file(self, name: str, file: BinaryIO) -> Iterator[Story | Skipped | Named]:
        for line in io.TextIOWrapper(file, encoding="utf-8"):
            match line.split():
                case ["-"]:
                    yield Skipped("bad", name)
                case ["broken"]:
                    raise InputError(f"{name}: broken")
                case ["+", url]:
                    yield Named(url)
                case [link]:
                    yield Story(rss_entry=RSSEntry(link=link))


class Make(Protocol):
    """Makes a queuer for inputs and options."""

    def __call__(self, *inputs: object, **given: Any) -> Lines: ...


@contextmanager
def making(directory: Path) -> Iterator[Make]:
    """A `Make` whose queuers keep their trackers below a directory."""
    made: list[Lines] = []

    def make(*inputs: object, **given: Any) -> Lines:
        options: dict[str, Any] = {"data": directory / "data", "shuffle_batch_size": 3}
        names = [str(name) for name in inputs]
        made.append(
            Lines(QueuerOptions.chosen(dict(inputs=names, allow_private=True, **options | given)))
        )
        return made[-1]

    yield make
    for each in made:
        each.close()


def write(path: Path, *lines: object) -> Path:
    """A file of lines."""
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def links(queuer: Lines) -> list[str | None]:
    """The links that a queuer yields."""
    return [item.rss_entry.link for item in queuer.produce() if isinstance(item, Story)]


def until_it_fails(queuer: Lines) -> tuple[list[str | None], str]:
    """The links that a queuer yields, and the error that it ends with."""
    found: list[str | None] = []
    try:
        for item in queuer.produce():
            if isinstance(item, Story):
                found.append(item.rss_entry.link)
    except InputError as error:
        return found, str(error)
    return found, ""


def state(tmp_path: Path, name: object) -> InputState:
    """The state of an input in the tracker."""
    path = Path(str(name))
    stat = path.stat()
    tracker = Tracker(tmp_path / "data" / "lines" / "file-tracker.sqlite3")
    return tracker.state(str(path), f"{stat.st_size}-{stat.st_mtime_ns}")
