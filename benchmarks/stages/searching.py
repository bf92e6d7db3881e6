"""Searches: a common word with a narrow filter in an SQLite file, and an export of all hits.

    BENCH_STORIES=200000 python -m benchmarks performance searching

makes an index of 200,000 stories, which takes minutes; without it, one of 20,000.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from elasticsearch import Elasticsearch
from elasticsearch.helpers import scan

from benchmarks.backends import forget_index
from benchmarks.measuring import plain_fts5
from benchmarks.measuring.corpus import CorpusPage
from benchmarks.measuring.documents import documents, domain, number, vocabulary
from benchmarks.measuring.stage import Stage, Unit, Unmeasured
from indexer.search import SearchIndex, open_index
from indexer.search.language.query import Query
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.text.chunks import chunks

STORIES, EXPORTED, BATCH = 20_000, 10_000, 1000
SEARCHES = 5

COMMON = 60
"""The rank of a word that is in about a third of the stories."""

NARROW = 40
"""The rank of a domain that has about one story in a thousand."""

PAGE = 50

SCANNED = "hits in no order, as they were stored; no snippets, and no values of other forms"


@contextmanager
def stages(pages: Sequence[CorpusPage]) -> Iterator[Sequence[Stage | Unmeasured]]:  # noqa: ARG001
    """An index of generated stories, which all rounds search."""
    with ExitStack() as stack:
        directory = Path(stack.enter_context(TemporaryDirectory()))
        yield [_sqlite(stack, directory), _elasticsearch(stack)]


def _sqlite(stack: ExitStack, directory: Path) -> Stage:
    stories = number(STORIES)
    index = stack.enter_context(
        closing(open_index(f"sqlite:///{directory / 'index.sqlite3'}", STORY_FIELDS))
    )
    _fill(index, stories)
    plain = directory / "plain.sqlite3"
    plain_fts5.write(plain, documents(stories), BATCH)
    word, site = vocabulary()[COMMON], domain(NARROW)

    def ours() -> int:
        for _ in range(SEARCHES):
            list(index.search(Query(f"{word} domain:{site}")))
        return SEARCHES

    def alternative() -> int:
        for _ in range(SEARCHES):
            plain_fts5.search(plain, word, site)
        return SEARCHES

    contenders: dict[str, Callable[[], int]] = {"ours": ours, "plain FTS5": alternative}
    name = f"SQLite search, {stories:,} stories, common word and narrow filter"
    return Stage(name, Unit.MILLISECONDS, 30, contenders)


def _fill(index: SearchIndex, stories: int) -> None:
    for some in chunks(documents(stories), BATCH):
        index.add(some)
    index.refresh()


def _elasticsearch(stack: ExitStack) -> Stage | Unmeasured:
    stories = number(EXPORTED)
    name = f"Elasticsearch, {stories:,} hits exported"
    server = os.environ.get("TEST_ELASTICSEARCH_URL")
    if not server:
        return Unmeasured(name, "Elasticsearch was not started: make services")
    alias = f"bench-searching-{os.getpid()}"
    forget_index(stack, server, alias)
    index = stack.enter_context(closing(open_index(f"{server}/{alias}", STORY_FIELDS)))
    client = stack.enter_context(Elasticsearch(server))
    _fill(index, stories)
    contenders: dict[str, Callable[[], int]] = {
        "ours": lambda: sum(1 for _ in index.search(Query(limit=None))),
        "pages of 50": lambda: _in_pages(client, alias),
        "helpers.scan": lambda: sum(1 for _ in scan(client, index=alias)),
    }
    # Three times the rate of pages of 50 in an index of 196,630 stories, which took 70 seconds.
    return Stage(name, Unit.WALL_RATE, 8400, contenders, {"helpers.scan": SCANNED})


def _in_pages(client: Elasticsearch, alias: str) -> int:
    """Read all hits, the newest first, in the pages of most examples."""
    request: dict[str, Any] = {"index": alias, "size": PAGE, "sort": [{"publication_date": "desc"}]}
    request["sort"].append({"indexed_date": "desc"})
    found = 0
    while page := client.search(**request)["hits"]["hits"]:
        found += len(page)
        request["search_after"] = page[-1]["sort"]
    return found
