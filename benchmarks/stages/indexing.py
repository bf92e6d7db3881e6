"""Stories written into the index: one SQLite file, and Elasticsearch in batches and one by one."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from elasticsearch import Elasticsearch

from benchmarks.backends import forget_index
from benchmarks.measuring import plain_fts5
from benchmarks.measuring.corpus import CorpusPage
from benchmarks.measuring.documents import documents, number
from benchmarks.measuring.stage import Stage, Unit, Unmeasured
from indexer.search import Document, SearchIndex, open_index
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.text.chunks import chunks

STORIES, BATCH = 3000, 500
IN_BATCHES, ONE_BY_ONE = 500, 25
"""Stories that a round writes to Elasticsearch."""

FTS5 = "splits texts at spaces and punctuation of ASCII only; checks no field, no id, no duplicate"
SEARCHED = "asks one index by id; we also ask for the indices behind the alias, which may roll over"
CREATED = "finds duplicates in one index only, and none after a rollover"


@contextmanager
def stages(pages: Sequence[CorpusPage]) -> Iterator[Sequence[Stage | Unmeasured]]:  # noqa: ARG001
    """Generated stories, written into a new file in each round; new ids on Elasticsearch."""
    written = list(documents(number(STORIES)))
    with ExitStack() as stack:
        directory = Path(stack.enter_context(TemporaryDirectory()))
        yield [_sqlite(directory, written), *_elasticsearch(stack, written)]


def _sqlite(directory: Path, written: Sequence[Document]) -> Stage:
    files = (directory / f"{place}.sqlite3" for place in count())

    def ours() -> int:
        path = next(files)
        with closing(open_index(f"sqlite:///{path}", STORY_FIELDS)) as index:
            for some in chunks(written, BATCH):
                index.add(some)
        path.unlink()
        return len(written)

    def plain() -> int:
        path = next(files)
        plain_fts5.write(path, written, BATCH)
        path.unlink()
        return len(written)

    contenders: dict[str, Callable[[], int]] = {"ours": ours, "plain FTS5": plain}
    floors = {"plain FTS5": FTS5}
    return Stage("SQLite index, stories written", Unit.RATE, 6000, contenders, floors)


def _elasticsearch(stack: ExitStack, written: Sequence[Document]) -> list[Stage | Unmeasured]:
    batches = "Elasticsearch, stories in batches"
    server = os.environ.get("TEST_ELASTICSEARCH_URL")
    if not server:
        return [Unmeasured(batches, "Elasticsearch was not started: make services")]
    name = f"bench-indexing-{os.getpid()}"
    forget_index(stack, server, name)
    index = stack.enter_context(closing(open_index(f"{server}/{name}", STORY_FIELDS)))
    client = stack.enter_context(Elasticsearch(server))
    index.add(written[:1])
    writing = _Writing(index, client, name, written)
    one = {
        "ours": lambda: writing.added(ONE_BY_ONE, 1),
        "search, then create": lambda: writing.searched_then_created(ONE_BY_ONE),
        "create": lambda: writing.created(ONE_BY_ONE),
    }
    many = {
        "ours": lambda: writing.added(IN_BATCHES, IN_BATCHES),
        "search, then create": lambda: writing.searched_then_created(ONE_BY_ONE),
    }
    floors = {"search, then create": SEARCHED, "create": CREATED}
    return [
        Stage(batches, Unit.RATE, 10_000, many),
        Stage("Elasticsearch, stories one by one", Unit.MILLISECONDS, 6, one, floors),
    ]


class _Writing:
    """Writes stories to an index on Elasticsearch, each time with new ids."""

    def __init__(
        self, index: SearchIndex, client: Elasticsearch, alias: str, written: Sequence[Document]
    ) -> None:
        self._index = index
        self._client = client
        self._alias = alias
        self._written = written
        self._ids = (f"id-{place}" for place in count())

    def added(self, number: int, batch: int) -> int:
        """Add stories as the importer does."""
        for some in chunks(self._new(number), batch):
            self._index.add(some)
        return number

    def searched_then_created(self, number: int) -> int:
        """Create each story that a search for its id does not find."""
        for one in self._new(number):
            query = {"ids": {"values": [one.id]}}
            if not self._client.search(index=self._alias, query=query)["hits"]["hits"]:
                self._client.create(index=self._alias, id=one.id, document=one.values)
        return number

    def created(self, number: int) -> int:
        """Create each story."""
        for one in self._new(number):
            self._client.create(index=self._alias, id=one.id, document=one.values)
        return number

    def _new(self, number: int) -> Iterator[Document]:
        return (Document(next(self._ids), one.values) for one in self._written[:number])
