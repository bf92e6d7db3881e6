"""Which flavor runs, and which program reads which input: told by a look at each of them."""

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
"""The producers that read no inputs but ask a server, and the setting that says which."""

SCHEDULER = "feed-scheduler"
"""The producer that asks a database what is due, and never ends."""

QUEUERS = {
    InputKind.FEED: "rss-queuer",
    InputKind.SITEMAP: "rss-queuer",
    InputKind.CSV: "csv-queuer",
    InputKind.URLS: "csv-queuer",
    InputKind.WARC: ARCH_QUEUER,
}
"""The program that reads each kind of input."""

STORES = ("RSS", "CSV", "ARCHIVER", "QUEUER")
"""Whose credentials are tried for buckets: those of the queuers (stories.md 5.1)."""

FLAVORS = {"rss-queuer": "queue-fetcher", "csv-queuer": "csv", ARCH_QUEUER: "archive"}
"""The flavor of each of them, where none was asked for."""

LISTED = 20
"""More names than this are handed to a program in a file, not on its command line."""


@dataclass
class Choice:
    """What to run: the pipeline, the inputs of each queuer, and what a person should know.

    `unread` are inputs that can't be read, and why.
    """

    pipeline: Pipeline
    arguments: Mapping[str, Sequence[str]] = field(default_factory=dict)
    notes: Sequence[str] = ()
    unread: Sequence[str] = ()


def choose(inputs: Sequence[str], type: str, data: Path, given: Mapping[str, str]) -> Choice:
    """What to run for inputs; `given` is the programs' environment.

    Raises InputError, which names what can't be read and says why; ConfigurationError.
    """
    if type:
        pipeline = flavor(type)
        return Choice(pipeline, _handed(_readers(pipeline, inputs, given), data, found=False))
    sorter = _Sorter(data)
    client = Client(FetchOptions.of(given))
    try:
        for name in inputs:
            sorter.sort(name, Inputs(client.open, STORES))
    finally:
        client.close()
    if ARCH_QUEUER in sorter.names and len(sorter.names) > 1:
        raise ConfigurationError(
            "archives are imported by themselves, and not archived again: "
            f"run {sorter.names[ARCH_QUEUER][0]} and the like apart from the other inputs"
        )
    pipelines = [flavor(FLAVORS[queuer]) for queuer in FLAVORS if queuer in sorter.names]
    if not pipelines:
        raise InputError("none of the inputs can be read:\n" + "\n".join(sorter.unread))
    return Choice(union(pipelines), _handed(sorter.names, data), sorter.notes, sorter.unread)


def _pullers(pipeline: Pipeline, given: Mapping[str, str]) -> list[str]:
    """The producers of a pipeline that can do without inputs: their server is set."""
    return [step.name for step in pipeline.steps if given.get(PULLERS.get(step.name, ""))]


def _readers(
    pipeline: Pipeline, inputs: Sequence[str], given: Mapping[str, str]
) -> dict[str, Sequence[str]]:
    """What each producer reads: those that ask a server are for runs without inputs."""
    producers = [step.name for step in pipeline.steps if not pipeline.consumes(step)]
    if SCHEDULER in producers:
        raise ConfigurationError(
            f"{pipeline.name} polls feeds, and never ends: story-indexer follow FEED… polls, "
            f"indexes and archives; or start its programs, {_programs(pipeline)}"
        )
    readers = [name for name in producers if name not in PULLERS]
    if inputs and readers:
        return dict.fromkeys(readers, inputs)
    if found := _pullers(pipeline, given):
        return dict.fromkeys(found, ())
    if not producers:
        raise ConfigurationError(
            f"{pipeline.name} takes what other programs send, and never ends: start its programs, "
            f"{_programs(pipeline)}"
        )
    raise ConfigurationError(f"{pipeline.name}: name its inputs")


def _programs(pipeline: Pipeline) -> str:
    return ", ".join(f"python -m {pipeline.program(step)}" for step in pipeline.steps)


class _Sorter:
    """Puts each input with the program that reads it."""

    def __init__(self, data: Path) -> None:
        self.names: dict[str, list[str]] = {}
        self.notes: list[str] = []
        self.unread: list[str] = []
        self._data = data

    def sort(self, name: str, inputs: Inputs) -> None:
        """Look at what a name stands for."""
        if name == STANDARD_INPUT:
            name = str(_kept(self._data))
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
            self.notes.append(f"{found.name} is a web page, not a feed: it is one story")
            self.names.setdefault("csv-queuer", []).append(str(_page(self._data, found.name)))
        elif kind is InputKind.EMPTY:
            raise InputError(f"{found.name} is empty")
        else:
            raise InputError(f"{found.name} is neither a feed, a sitemap, a CSV nor a list of URLs")


def _kept(data: Path) -> Path:
    """Standard input, in a file: more than one program may have to read it."""
    return _written(data, "stdin", sys.stdin.buffer.read())


def _page(data: Path, url: str) -> Path:
    """A list of one URL."""
    return _written(data, "page", f"{url}\n".encode())


def _written(data: Path, stem: str, content: bytes) -> Path:
    """A file of that content, the same each time: what is done stays done."""
    directory = data / "inputs"
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{stem}-{hashlib.sha256(content).hexdigest()[:16]}.txt"
    path.write_bytes(content)
    return path


def _handed(
    names: Mapping[str, Sequence[str]], data: Path, *, found: bool = True
) -> dict[str, list[str]]:
    """The arguments of each program. Of a bucket's objects that were found, the whole names are
    known: they are not the first part of others."""
    return {
        program: [
            *(["--exact"] if found and any(map(_in_bucket, inputs)) else []),
            *_arguments(program, inputs, data),
        ]
        for program, inputs in names.items()
    }


def _arguments(program: str, inputs: Sequence[str], data: Path) -> list[str]:
    if len(inputs) <= LISTED:
        return list(inputs)
    if bad := [name for name in inputs if "\n" in name]:
        raise ConfigurationError(f"a name with a line break: {bad[0]!r}")
    path = _written(data, program, "\n".join(inputs).encode())
    return [f"@{path}"]


def _in_bucket(name: str) -> bool:
    return name.partition("://")[0] in REMOTE
