"""The choice of a flavor, and of the program that reads each input, by the inputs' contents."""

import hashlib
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from indexer.blobstore import REMOTE
from indexer.commands.console.terminal import this_command
from indexer.errors import ConfigurationError, InputError
from indexer.feeds.registry.discovery import LOOKED_AT
from indexer.feeds.registry.feed_links import feeds_of_page
from indexer.feeds.registry.feed_lists import FEED_COLUMNS
from indexer.http.fetching import FetchOptions
from indexer.http.fetching.client import Client
from indexer.http.urls.addresses import with_option
from indexer.inputs.inputs import STANDARD_INPUT, Input, Inputs, without_indexes
from indexer.messages.pipelines import Pipeline, union
from indexer.stories.queuers.column_options import ColumnOptions
from indexer.stories.queuers.input_kinds import (
    InputKind,
    kind_of,
    list_of_feeds,
    refusal,
)
from indexer.system.options import reading
from indexer.system.origins import FILE
from indexer.text.tables.columns import Columns, sample_of
from indexer.text.unpacking import HEAD
from pipeline import PIPELINES, flavor

STORES = ("RSS", "CSV", "ARCHIVER", "QUEUER")
"""Programs whose credentials are tried for buckets: the queuers (stories.md 5.1)."""

MOST_FEEDS = 5
"""The most feeds that are named of a page."""

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
    columns = ColumnOptions.of(given).columns
    if type:
        pipeline = flavor(type)
        readers = _readers(pipeline, [_readable(name, data) for name in inputs], given)
        return Choice(pipeline, _arguments_of(readers, data, found=False))
    sorter = _Sorter(data, columns)
    # The credentials of buckets are those that the programs will have.
    with reading(given), Client(FetchOptions.of(given)) as client:
        for name in without_indexes(inputs):
            sorter.sort(name, Inputs(client.open, STORES))
    if not sorter.names:
        raise InputError("none of the inputs can be read:\n" + "\n".join(sorter.unread))
    _check_together(sorter.pipelines, sorter.names)
    together = union([each for each in PIPELINES if each in sorter.pipelines.values()])
    return Choice(together, _arguments_of(sorter.names, data), sorter.notes, sorter.unread)


def _check_together(pipelines: Mapping[str, Pipeline], names: Mapping[str, Sequence[str]]) -> None:
    """Raise ConfigurationError if two flavors, given by their readers, can't run at once."""
    for (first, one), (second, other) in combinations(pipelines.items(), 2):
        known = {step.name: step for step in one.steps}
        for step in other.steps:
            same = known.get(step.name, step)
            # They would share the queue of the step, and so what it does and what follows it.
            if (same.targets, same.settings) != (step.targets, step.settings):
                raise ConfigurationError(
                    f"{names[first][0]} and {names[second][0]} each need a run of their own: "
                    f"the flavors {one.name} and {other.name} differ from the {step.name} on"
                )


def _readers(
    pipeline: Pipeline, inputs: Sequence[str], given: Mapping[str, str]
) -> dict[str, Sequence[str]]:
    """Return the inputs of each producer; producers that query a server have none."""
    if pipeline.command:
        raise ConfigurationError(
            f"{pipeline.name} never ends: use {pipeline.command}, or start its programs, "
            f"{_programs(pipeline)}"
        )
    readers = [step.name for step in pipeline.producers if not step.server]
    if inputs and readers:
        return dict.fromkeys(readers, inputs)
    # These need no inputs, as their server is set.
    servers = {step.name: (step.server, step.server + FILE) for step in pipeline.producers}
    if found := [step for step, names in servers.items() if any(map(given.get, names))]:
        return dict.fromkeys(found, ())
    if not pipeline.producers:
        raise ConfigurationError(
            f"{pipeline.name} takes messages of other flavors, and never ends: start its programs, "
            f"{_programs(pipeline)}"
        )
    raise ConfigurationError(f"{pipeline.name}: name its inputs")


def _programs(pipeline: Pipeline) -> str:
    names = ", ".join(step.name for step in pipeline.steps)
    return f"`story-indexer program NAME`: {names}"


class _Sorter:
    """Assigns each input to the producer that reads it, and that to the first of its flavors."""

    def __init__(self, data: Path, columns: Columns) -> None:
        self.names: dict[str, list[str]] = {}
        self.pipelines: dict[str, Pipeline] = {}
        self.notes: list[str] = []
        self.unread: list[str] = []
        self._data = data
        self._columns = columns

    def sort(self, name: str, inputs: Inputs) -> None:
        """Assign the inputs that a name stands for."""
        try:
            for found in inputs.find([_readable(name, self._data)]):
                self._try(found)
        except InputError as error:
            self.unread.append(with_option(str(error)))

    def _try(self, found: Input) -> None:
        try:
            self._place(found)
        except InputError as error:
            self.unread.append(with_option(str(error)))

    def _place(self, found: Input) -> None:
        on_the_web = found.name.startswith(("http://", "https://"))
        # The links of a page may come late; all other kinds show themselves in the first bytes.
        start = found.head(LOOKED_AT if on_the_web else HEAD)
        kind = kind_of(found.name, start[:HEAD], self._columns)
        if self._assign(kind, found.name):
            return
        if kind is not InputKind.PAGE or not on_the_web:
            raise InputError(self._refusal(found.name, kind, start[:HEAD]))
        self.notes.append(f"{found.name} is a web page, not a feed: it is read as one story")
        self.notes.extend(_feeds_of(found.name, start))
        page = _written(self._data, "page", f"{found.name}\n".encode())
        self._assign(InputKind.URLS, str(page))

    def _refusal(self, name: str, kind: InputKind, head: bytes) -> str:
        """Why an input is not read. A table may have the columns of a list of feeds."""
        if kind is InputKind.UNKNOWN and FEED_COLUMNS.header(sample_of(head)):
            return list_of_feeds(name)
        return refusal(name, kind, head, self._columns)

    def _assign(self, kind: InputKind, name: str) -> bool:
        """Assign an input of a kind; False if no producer is chosen for it."""
        for pipeline in PIPELINES:
            for step in pipeline.producers:
                if kind in step.reads:
                    self.names.setdefault(step.name, []).append(name)
                    self.pipelines[step.name] = pipeline
                    return True
        return False


def _feeds_of(url: str, start: bytes) -> Iterator[str]:
    """Yield a note for each feed that a page links to."""
    for feed in feeds_of_page(url, start)[:MOST_FEEDS]:
        name = f" ({feed.name})" if feed.name else ""
        yield f"it links to a feed{name}: {this_command()} run {shlex.quote(feed.url)}"


def _readable(name: str, data: Path) -> str:
    """The name of an input for programs; standard input is written to a file."""
    if name != STANDARD_INPUT:
        return name
    # The programs have other standard inputs, and more than one may read this one.
    return str(_written(data, "stdin", sys.stdin.buffer.read()))


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
