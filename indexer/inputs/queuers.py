"""Producers that read files, and record how far they have read.

    inputs → claim in the tracker → open → process_file → payloads, marks → finished

The method `process_file` of a family's producer reads one file. A file is finished when all its
items are in the queue. After a run that was stopped or killed, or ended because the queues were
full, the next run resumes at the first item that is not in the queue. A file whose items were all
refused is not finished: the next run, whose options may allow them, reads all of it.
"""

from collections import Counter, deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, NamedTuple

from indexer.errors import ConfigurationError, InputError, Stopped, UnreadInputs
from indexer.http.fetching import FetchOptions
from indexer.http.fetching.client import Client
from indexer.http.urls.addresses import with_option
from indexer.inputs.inputs import MAX_UNPACKED_BYTES, Input, Inputs
from indexer.inputs.tracker import UNTRACKED, Claim, Tracker
from indexer.loops.producing import idle_marks
from indexer.messages.worker import Mark, Out, Producer, Skipped
from indexer.metrics import counter, timer
from indexer.programs.settings import ProducerOptions, ProgramOptions
from indexer.system.loggers import get_logger
from indexer.system.options import Options, group, option

log = get_logger()

TRACKER = "file-tracker.sqlite3"
STORE = "QUEUER"
"""The credentials that are tried after a program's own (stories.md 5.1)."""

MAX_DEPTH = 2
MAX_NAMED = 1000
"""The limits of inputs that name other inputs: levels, and inputs below one of the command line."""

FILES = counter("files", "inputs, by result of reading", "status")
PROCESS_FILE = timer(
    "process_file", "reading an input to its end, with waits for room in the queues"
)


class QueuerOptions(Options):
    """Options of every queuer."""

    program: ProgramOptions = group(ProgramOptions)
    producer: ProducerOptions = group(ProducerOptions)
    fetch: FetchOptions = group(FetchOptions)
    watch: float | None = option(
        None, "after the last input, look for new and changed inputs every so many seconds"
    )
    exact: bool = option(False, "a bucket's URL names one object, not a prefix")
    only: list[str] = option(
        [], "pattern of the names to read in directories and buckets; repeatable"
    )
    max_input_bytes: int = option(
        MAX_UNPACKED_BYTES, "most bytes of an unpacked input", "MAX_INPUT_BYTES"
    )


class Named(NamedTuple):
    """Another input, on the web, that an input names: a sitemap in a sitemap index."""

    url: str


@dataclass
class _Reading:
    """How far an input was read. `refused` has the first refused item of each status."""

    items: int = 0
    is_tried: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    refused: dict[str, Skipped] = field(default_factory=dict)

    @property
    def confirmable(self) -> int:
        """The items that the next run need not read: none, until one of them could be tried."""
        return self.items if self.is_tried else 0

    def refuse(self, item: Skipped) -> None:
        """Count a refused item."""
        self.counts[item.status] += 1
        self.refused.setdefault(item.status, item)

    def check(self, name: str) -> None:
        """Raise InputError if all items were refused."""
        if self.items and not self.is_tried:
            counts = ", ".join(f"{status} {count}" for status, count in self.counts.items())
            why = "; ".join(
                f"{each.label}: {with_option(each.why or status)}"
                for status, each in self.refused.items()
            )
            raise InputError(
                f"{name}: none of its {self.items} items is accepted ({counts}): {why}"
            )


class Queuer(Producer[Out]):
    """Reads inputs, one after the other.

    If an input can't be read, the others still are, and UnreadInputs is raised at the end. `stores`
    names the program's own credentials. `unpacks`: gzip files are unpacked for `process_file`.
    """

    stores: Sequence[str] = ()
    unpacks = True

    def __init__(self, options: QueuerOptions) -> None:
        self.options = options
        self._client = Client(options.fetch)
        self._inputs = Inputs(
            self._client.open,
            (*self.stores, STORE),
            exact=options.exact,
            only=options.only,
            max_bytes=options.max_input_bytes,
            may_be_empty=True,
        )
        path = options.program.data / (options.program.process_name or self.name) / TRACKER
        self._tracker = Tracker(path, dry_run=options.producer.dry_run)
        self._failures: list[str] = []
        self.inputs: Counter[str] = Counter()
        """See `InputReader`."""

    def process_file(self, name: str, file: BinaryIO) -> Iterator[Out | Skipped | Named]:
        """The items of a file: the same, in the same order, each time that it is read.

        Progress is a number of items, so the order must not change. Raises InputError if the file
        can't be read to its end.
        """
        raise NotImplementedError

    def names(self) -> Sequence[str]:
        """The names of the inputs to read. Raises ConfigurationError."""
        if not self.options.producer.inputs:
            raise ConfigurationError("nothing to read: name files, directories or URLs, or -")
        return self.options.producer.inputs

    def produce(self) -> Generator[Out | Skipped | Mark, None, None]:
        """Yield the items of all inputs. See `Producer`."""
        yield from self._pass()
        while self.options.watch is not None and not self.options.producer.test:
            yield from idle_marks(self.options.watch)
            yield from self._pass()
        if self._failures:
            raise UnreadInputs(self._failures)

    def _pass(self) -> Generator[Out | Skipped | Mark, None, None]:
        """Read each input once."""
        self._failures.clear()
        for source in self._sources():
            if self.options.producer.test:
                print(source.name, self._state(source), sep="\t")
            else:
                yield from self._follow(source)

    def close(self) -> None:
        """See `Producer`."""
        self._client.close()
        self._tracker.close()

    def _sources(self) -> Iterator[Input]:
        for name in self._inputs.named(self.names()):
            try:
                yield from self._inputs.find([name])
            except InputError as error:
                self._failed(name, error)

    def _follow(self, first: Input) -> Generator[Out | Skipped | Mark, None, None]:
        """Read an input, the inputs that it names, and so on."""
        known = {first.name}
        todo = deque([first])
        while todo:
            source = todo.popleft()
            urls: list[str] = []
            # Inputs that are named are read after the one that names them: it is open until then.
            try:
                yield from self._read(source, urls)
            except InputError as error:
                self._failed(source.name, error)
            finally:
                source.close()
            todo.extend(self._named(source, urls, known))

    def _named(self, source: Input, urls: Sequence[str], known: set[str]) -> Iterator[Input]:
        """The inputs that an input names, within limits, without those that are `known`."""
        for url in urls:
            if source.depth >= MAX_DEPTH or len(known) > MAX_NAMED:
                log.warning(
                    "not followed: too many inputs, or too deep", input=source.name, url=url
                )
                return
            try:
                found = self._inputs.on_the_web(url, source.depth + 1)
            except InputError as error:
                self._failed(source.name, error)
                continue
            if found.name not in known:
                known.add(found.name)
                yield found

    def _read(self, source: Input, urls: list[str]) -> Generator[Out | Skipped | Mark, None, None]:
        """Read an input from where it was left; `urls` gets the URLs that it names."""
        claim = self._claim(source)
        if claim is None:
            self._count("skipped")
            log.info("input", status="skipped", input=source.name)
            return
        with claim:
            reading = _Reading(is_tried=claim.items > 0)
            yield from self._items(source, claim, urls, reading)
            reading.check(source.name)
            # An input that names others is read in each run: they may change when it doesn't.
            if not urls:
                claim.finish()
        self._count("success")
        log.info("input", status="success", input=source.name, items=reading.items)

    def _items(
        self, source: Input, claim: Claim, urls: list[str], reading: _Reading
    ) -> Generator[Out | Skipped | Mark, None, None]:
        """Yield the items that are not in the queue yet, with marks.

        A mark follows each full batch: then all items before it are in the queue, and none after
        it.
        """
        unmarked = 0
        with source.open(unpack=self.unpacks) as file, PROCESS_FILE.timing():
            try:
                for item in self.process_file(source.name, file):
                    if isinstance(item, Named):
                        # One more than the limit is kept, so that the excess is logged.
                        urls.extend([item.url] if len(urls) <= MAX_NAMED else [])
                        continue
                    reading.items += 1
                    if reading.items <= claim.items:
                        continue
                    if isinstance(item, Skipped):
                        reading.refuse(item)
                    else:
                        reading.is_tried = True
                        unmarked += 1
                    yield item
                    if unmarked >= self.options.producer.shuffle_batch_size:
                        yield from _confirmed(claim, reading)
                        unmarked = 0
            except Stopped:
                claim.confirm(reading.confirmable)
                raise
            except InputError:
                # The items before the damage are queued now, and not again in the next run.
                yield from _confirmed(claim, reading)
                raise
        yield from _confirmed(claim, reading)

    def _claim(self, source: Input) -> Claim | None:
        """The right to read an input; None if it is finished, or another process reads it."""
        if not self._is_tracked(source):
            return UNTRACKED
        return self._tracker.claim(
            source.name, source.version(), cleanup=self.options.producer.cleanup
        )

    def _state(self, source: Input) -> str:
        if not self._is_tracked(source):
            return "not tracked"
        state = self._tracker.state(
            source.name, source.version(), cleanup=self.options.producer.cleanup
        )
        return state.value

    def _is_tracked(self, source: Input) -> bool:
        """Whether earlier progress counts (stories.md 5.2); not for samples, which are random."""
        given = self.options.producer
        sampled = (given.max_messages, given.random_sample, given.sample_size) != (None, None, None)
        return source.tracked and not given.force and not sampled

    def _count(self, status: str) -> None:
        FILES.add(status=status)
        self.inputs[status] += 1

    def _failed(self, name: str, error: InputError) -> None:
        self._count("failed")
        log.error("input", status="failed", input=name, why=str(error))
        self._failures.append(str(error))


def _confirmed(claim: Claim, reading: _Reading) -> Iterator[Mark]:
    """Yield a mark: wait until all items so far are in the queue; then record that."""
    try:
        yield Mark()
    except Stopped:
        claim.confirm(reading.confirmable)
        raise
    claim.confirm(reading.confirmable)
