"""The choice of a flavor, and of the program that reads each input, by the inputs' contents."""

import hashlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from indexer.blobstore import REMOTE
from indexer.errors import ConfigurationError, InputError
from indexer.http.fetching import Client, FetchOptions
from indexer.inputs.inputs import STANDARD_INPUT, Input, Inputs
from indexer.messages.topology import Pipeline, union
from indexer.stories.queuers.input_kinds import InputKind, kind_of
from pipeline import flavor

ARCH_QUEUER = "arch-queuer"
PULLERS = {"rss-puller": "RSS_FETCHER_URL"}
"""The producers that query a server instead of inputs, and the setting with its URL."""

SCHEDULER = "feed-scheduler"
"""The producer that queues the due feeds of a database, and never ends."""

QUEUERS = {
    InputKind.FEED: "rss-queuer",
    InputKind.SITEMAP: "rss-queuer",
    InputKind.CSV: "csv-queuer",
    InputKind.URLS: "csv-queuer",
    InputKind.WARC: ARCH_QUEUER,
}
"""The program that reads each kind of input."""

STORES = ("RSS", "CSV", "ARCHIVER", "QUEUER")
"""Programs whose credentials are tried for buckets: the queuers (stories.md 5.1)."""

FLAVORS = {"rss-queuer": "queue-fetcher", "csv-queuer": "csv", ARCH_QUEUER: "archive"}
"""The flavor of each queuer, if --type is not given."""

LISTED = 20
"""Names on a program's command line; more of them are passed in a file."""


@dataclass
class Choice:
    """The pipeline to run, the arguments of each queuer, and notes for a person.

    `unread` names the inputs that can't be read, and why.
    """

    pipeline: Pipeline
    arguments: Mapping[str, Sequence[str]] = field(default_factory=dict)
    notes: Sequence[str] = ()
    unread: Sequence[str] = ()


def choose(inputs: Sequence[str], type: str, data: Path, given: Mapping[str, str]) -> Choice:
    """Choose what to run for inputs; `given` is the programs' environment.

    Raises InputError if no input can be read; ConfigurationError.
    """
    if type:
        pipeline = flavor(type)
        return Choice(pipeline, _arguments_of(_readers(pipeline, inputs, given), data, found=False))
    sorter = _Sorter(data)
    client = Client(FetchOptions.of(given))
    for name in inputs:
        sorter.sort(name, Inputs(client.open, STORES))
    # Their flavors differ in what follows the importer, and they would share its queue.
    if ARCH_QUEUER in sorter.names and len(sorter.names) > 1:
        raise ConfigurationError(
            "archives need a run of their own, which does not archive them again: "
            f"run {sorter.names[ARCH_QUEUER][0]} and the like without the other inputs"
        )
    pipelines = [flavor(FLAVORS[queuer]) for queuer in FLAVORS if queuer in sorter.names]
    if not pipelines:
        raise InputError("none of the inputs can be read:\n" + "\n".join(sorter.unread))
    return Choice(union(pipelines), _arguments_of(sorter.names, data), sorter.notes, sorter.unread)


def _readers(
    pipeline: Pipeline, inputs: Sequence[str], given: Mapping[str, str]
) -> dict[str, Sequence[str]]:
    """Return the inputs of each producer; producers that query a server have none."""
    producers = [step.name for step in pipeline.steps if not pipeline.consumes(step)]
    if SCHEDULER in producers:
        raise ConfigurationError(
            f"{pipeline.name} polls feeds, and never ends: use story-indexer follow FEED…, which "
            f"indexes and archives, too, or start its programs, {_programs(pipeline)}"
        )
    readers = [name for name in producers if name not in PULLERS]
    if inputs and readers:
        return dict.fromkeys(readers, inputs)
    # These need no inputs, as their server is set.
    if found := [step.name for step in pipeline.steps if given.get(PULLERS.get(step.name, ""))]:
        return dict.fromkeys(found, ())
    if not producers:
        raise ConfigurationError(
            f"{pipeline.name} takes messages of other flavors, and never ends: start its programs, "
            f"{_programs(pipeline)}"
        )
    raise ConfigurationError(f"{pipeline.name}: name its inputs")


def _programs(pipeline: Pipeline) -> str:
    return ", ".join(f"python -m {pipeline.program(step)}" for step in pipeline.steps)


class _Sorter:
    """Assigns each input to the program that reads it."""

    def __init__(self, data: Path) -> None:
        self.names: dict[str, list[str]] = {}
        self.notes: list[str] = []
        self.unread: list[str] = []
        self._data = data

    def sort(self, name: str, inputs: Inputs) -> None:
        """Assign the inputs that a name stands for."""
        if name == STANDARD_INPUT:
            # The programs have other standard inputs, and more than one may read this one.
            name = str(_written(self._data, "stdin", sys.stdin.buffer.read()))
        try:
            for found in inputs.find([name]):
                self._try(found)
        except InputError as error:
            self.unread.append(str(error))

    def _try(self, found: Input) -> None:
        try:
            self._place(found)
        except InputError as error:
            self.unread.append(str(error))

    def _place(self, found: Input) -> None:
        kind = kind_of(found.name, found.head())
        if kind in QUEUERS:
            self.names.setdefault(QUEUERS[kind], []).append(found.name)
        elif kind is InputKind.PAGE and found.name.startswith(("http://", "https://")):
            self.notes.append(f"{found.name} is a web page, not a feed: it is read as one story")
            page = _written(self._data, "page", f"{found.name}\n".encode())
            self.names.setdefault("csv-queuer", []).append(str(page))
        elif kind is InputKind.EMPTY:
            raise InputError(f"{found.name} is empty")
        else:
            raise InputError(f"{found.name} is neither a feed, a sitemap, a CSV nor a list of URLs")


def _written(data: Path, stem: str, content: bytes) -> Path:
    """Write a file that is named by its content: a second run finds it marked as done."""
    directory = data / "inputs"
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{stem}-{hashlib.sha256(content).hexdigest()[:16]}.txt"
    path.write_bytes(content)
    return path


def _arguments_of(
    names: Mapping[str, Sequence[str]], data: Path, *, found: bool = True
) -> dict[str, list[str]]:
    """Return the arguments of each program.

    Names of a bucket's objects that were `found` are complete: --exact keeps a program from
    reading other objects whose names begin with them.
    """
    arguments = {}
    for program, inputs in names.items():
        is_exact = found and any(name.partition("://")[0] in REMOTE for name in inputs)
        arguments[program] = ["--exact"] * is_exact + _listed(program, inputs, data)
    return arguments


def _listed(program: str, inputs: Sequence[str], data: Path) -> list[str]:
    if len(inputs) <= LISTED:
        return list(inputs)
    if bad := [name for name in inputs if "\n" in name]:
        raise ConfigurationError(f"an input's name has a line break: {bad[0]!r}")
    path = _written(data, program, "\n".join(inputs).encode())
    return [f"@{path}"]
