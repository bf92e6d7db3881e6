"""Producers that read files: which of them to read, how far they are, what is done.

    inputs → claim in the tracker → open → process_file → payloads, marks → finished

What a file holds is for the family to say, in `process_file`. A file is finished when all that it
holds is in the queue; a run that is stopped, killed or full goes on where it was.
"""

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from typing import BinaryIO, NamedTuple

import structlog

from indexer.errors import ConfigurationError, InputError, Stopped
from indexer.http.fetching import Client, FetchOptions
from indexer.inputs.inputs import MAX_UNPACKED_BYTES, Input, Inputs
from indexer.inputs.tracker import UNTRACKED, Claim, Tracker
from indexer.loops.producing import idle_marks
from indexer.messages.worker import Mark, P, Producer, Skipped
from indexer.metrics import counter, timer
from indexer.programs.settings import ProducerOptions, ProgramOptions
from indexer.system.options import option

log = structlog.get_logger()

TRACKER = "file-tracker.sqlite3"
STORE = "QUEUER"
"""Whose credentials are tried after a program's own (stories.md 5.1)."""

MAX_DEPTH = 2
MAX_NAMED = 1000
"""How deep inputs may name others, and how many there may be for one of the command line."""

FILES = counter("files", "inputs, by how reading them ended", "status")
PROCESS_FILE = timer("process_file", "reading an input to its end, with the waits for room")

MAX_TOLD = 10


class QueuerOptions(ProgramOptions, ProducerOptions, FetchOptions):
    """What every queuer can be told."""

    watch: float | None = option(
        None, "after the last input look for new and changed ones, again each so many seconds"
    )
    exact: bool = option(False, "the URL of a bucket names one object, not all that start so")
    only: list[str] = option(
        [], "pattern that names in directories and buckets have to match; repeatable"
    )
    max_input_bytes: int = option(MAX_UNPACKED_BYTES, "largest input, unpacked", "MAX_INPUT_BYTES")


class Named(NamedTuple):
    """Another input, on the web, that an input names: a sitemap in an index of them."""

    url: str


class Queuer(Producer[P]):
    """Yields what is in files, one file after the other.

    An input that can't be read is no reason not to read the others: InputError is raised at the
    end. `stores` are the names of the program's own credentials. `unpacks`: files that are gzip
    are unpacked for `process_file`.
    """

    stores: Sequence[str] = ()
    unpacks = True

    def __init__(self, options: QueuerOptions) -> None:
        self.options = options
        self._client = Client(options)
        self._inputs = Inputs(
            self._client.open,
            (*self.stores, STORE),
            exact=options.exact,
            only=options.only,
            max_bytes=options.max_input_bytes,
            may_be_empty=True,
        )
        path = options.data / (options.process_name or self.name) / TRACKER
        self._tracker = Tracker(path, dry_run=options.dry_run)
        self._failures: list[str] = []

    def process_file(self, name: str, file: BinaryIO) -> Iterator[P | Skipped | Named]:
        """What a file holds: the same, in the same order, each time that it is read.

        Raises InputError when it can't be read, or not to its end.
        """
        raise NotImplementedError

    def names(self) -> Sequence[str]:
        """The inputs to read, by name. Raises ConfigurationError."""
        if not self.options.inputs:
            raise ConfigurationError("nothing to read: name files, directories or URLs, or -")
        return self.options.inputs

    def produce(self) -> Generator[P | Skipped | Mark, None, None]:
        """What all inputs hold. See `Producer`."""
        yield from self._pass()
        while self.options.watch is not None and not self.options.test:
            yield from idle_marks(self.options.watch)
            yield from self._pass()
        if self._failures:
            raise InputError(_summary(self._failures))

    def _pass(self) -> Generator[P | Skipped | Mark, None, None]:
        """Each input once."""
        self._failures.clear()
        for source in self._sources():
            if self.options.test:
                print(source.name, self._state(source), sep="\t")
            else:
                yield from self._follow(source)

    def close(self) -> None:
        """See `Producer`."""
        self._tracker.close()
        self._client.close()

    def _sources(self) -> Iterator[Input]:
        for name in self._inputs.named(self.names()):
            try:
                yield from self._inputs.find([name])
            except InputError as error:
                self._failed(name, error)

    def _follow(self, first: Input) -> Generator[P | Skipped | Mark, None, None]:
        """What an input holds, and those that it names, and so on."""
        known = {first.name}
        todo = deque([first])
        while todo:
            source = todo.popleft()
            urls: list[str] = []
            try:
                yield from self._read(source, urls)
            except InputError as error:
                self._failed(source.name, error)
            finally:
                source.close()
            todo.extend(self._named(source, urls, known))

    def _named(self, source: Input, urls: Sequence[str], known: set[str]) -> Iterator[Input]:
        """The inputs that an input names, but for those that were read, and within bounds."""
        for url in urls:
            if source.depth >= MAX_DEPTH or len(known) > MAX_NAMED:
                log.warning("not followed: too many, or too deep", input=source.name, url=url)
                return
            try:
                found = self._inputs.on_the_web(url, source.depth + 1)
            except InputError as error:
                self._failed(source.name, error)
                continue
            if found.name not in known:
                known.add(found.name)
                yield found

    def _read(self, source: Input, urls: list[str]) -> Generator[P | Skipped | Mark, None, None]:
        """What an input holds, from where it was left; `urls` gets what it names."""
        claim = self._claim(source)
        if claim is None:
            FILES.add(status="skipped")
            log.info("input", status="skipped", input=source.name)
            return
        with claim:
            done = yield from self._items(source, claim, urls)
            # What names others is read each time: they change, and it doesn't.
            if not urls:
                claim.finish()
        FILES.add(status="success")
        log.info("input", status="success", input=source.name, items=done)

    def _items(
        self, source: Input, claim: Claim, urls: list[str]
    ) -> Generator[P | Skipped | Mark, None, int]:
        """The items that aren't in the queue yet, with marks between; how many there are in all.

        A mark comes when a batch is full, so that what is confirmed is what is in the queue.
        """
        done = unmarked = 0
        with source.open(unpack=self.unpacks) as file, PROCESS_FILE.timing():
            try:
                for item in self.process_file(source.name, file):
                    if isinstance(item, Named):
                        urls.extend([item.url] if len(urls) <= MAX_NAMED else [])
                        continue
                    done += 1
                    if done <= claim.items:
                        continue
                    yield item
                    unmarked += not isinstance(item, Skipped)
                    if unmarked >= self.options.shuffle_batch_size:
                        yield from _confirmed(claim, done)
                        unmarked = 0
            except Stopped:
                claim.confirm(done)
                raise
            except InputError:
                # What could be read is not lost, nor read again.
                yield from _confirmed(claim, done)
                raise
        yield from _confirmed(claim, done)
        return done

    def _claim(self, source: Input) -> Claim | None:
        """The right to read an input; None where it is done, or another process reads it."""
        if not self._is_tracked(source):
            return UNTRACKED
        return self._tracker.claim(source.name, source.version(), cleanup=self.options.cleanup)

    def _state(self, source: Input) -> str:
        if not self._is_tracked(source):
            return "not tracked"
        state = self._tracker.state(source.name, source.version(), cleanup=self.options.cleanup)
        return state.value

    def _is_tracked(self, source: Input) -> bool:
        """Whether what was read before counts (stories.md 5.2)."""
        given = self.options
        sampled = (given.max_stories, given.random_sample, given.sample_size) != (None, None, None)
        return source.tracked and not given.force and not sampled

    def _failed(self, name: str, error: InputError) -> None:
        FILES.add(status="failed")
        log.error("input", status="failed", input=name, why=str(error))
        self._failures.append(str(error))


def _confirmed(claim: Claim, items: int) -> Iterator[Mark]:
    """Wait until all that was yielded is in the queue, and write that down."""
    try:
        yield Mark()
    except Stopped:
        claim.confirm(items)
        raise
    claim.confirm(items)


def _summary(failures: Sequence[str]) -> str:
    """Which inputs failed, and why; the log has all of them."""
    more = len(failures) - MAX_TOLD
    told = "; ".join(failures[:MAX_TOLD])
    return f"inputs failed: {told}" + (f"; and {more} more" if more > 0 else "")
