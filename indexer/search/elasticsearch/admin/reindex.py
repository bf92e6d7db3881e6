"""Copies documents from one index to another, also to another server: each once.

    read a batch, as of one moment → leave out what is in any of the target's indices
    → create each, unless its id is there → an answer each

The server's reindex module isn't needed, and its state and failures can't be lost.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from elasticsearch import Elasticsearch, NotFoundError

from indexer.errors import ConfigurationError
from indexer.search.elasticsearch.bulk import Bulk, Line
from indexer.search.elasticsearch.errors import explained
from indexer.search.elasticsearch.indices import copies
from indexer.search.elasticsearch.patience import ask
from indexer.search.elasticsearch.points import ANY_ORDER, hits
from indexer.search.elasticsearch.scan import ScanTally
from indexer.search.elasticsearch.setup import connect, settings
from indexer.system.patience import Patience
from indexer.text.chunks import chunks

CONFLICT = 409

BY_DATE: list[dict[str, Any]] = [
    {
        "indexed_date": {
            "order": "asc",
            "numeric_type": "date_nanos",
            "format": "strict_date_optional_time_nanos",
            "unmapped_type": "date_nanos",
        }
    },
    *ANY_ORDER,
]


@dataclass(frozen=True, slots=True)
class IndexPlace:
    """An index, an alias, or, to read, several with commas between them; on a server."""

    client: Elasticsearch
    hosts: str
    index: str

    @property
    def name(self) -> str:
        """What tells it from others; without credentials."""
        return f"{self.hosts}/{self.index}"


@contextmanager
def open_pair(source: str, target: str, names: str) -> Iterator[tuple[IndexPlace, IndexPlace]]:
    """The indices of two URLs; `names` are others of the first server. Errors are the library's.

    Raises ConfigurationError, SearchError.
    """
    ends = settings(source), settings(target)
    hosts = [", ".join(given.hosts) for given in ends]
    with ExitStack() as stack:
        clients = [stack.enter_context(closing(connect(given))) for given in ends]
        stack.enter_context(explained(ends[0].alias, " or ".join(dict.fromkeys(hosts))))
        yield (
            IndexPlace(clients[0], hosts[0], names or ends[0].alias),
            IndexPlace(clients[1], hosts[1], ends[1].alias),
        )


def one_by_one(
    source: IndexPlace, target: IndexPlace, suffix: str
) -> list[tuple[IndexPlace, IndexPlace]]:
    """Each index of the source, and that of its name and a suffix. Raises ApiError."""
    found = sorted(source.client.indices.get(index=source.index, filter_path="*.aliases"))
    return [(replace(source, index=name), replace(target, index=name + suffix)) for name in found]


def make_ready(target: IndexPlace, *, create: bool) -> None:
    """See that there is an index to write to; it could have the wrong fields if it came by itself.

    Raises ConfigurationError, ApiError, TransportError.
    """
    if target.client.indices.exists(index=target.index):
        return
    if not create:
        raise ConfigurationError(
            f"there is no index {target.index} at {target.hosts}: make it with `elastic-conf`, "
            "or give --create"
        )
    target.client.indices.create(index=target.index)


class CopyStep(NamedTuple):
    """How far a copy has come. `date` is the `indexed_date` up to which everything is copied."""

    tally: ScanTally
    date: str


def count(source: IndexPlace, query: Mapping[str, Any], patience: Patience) -> int:
    """How many documents there are to copy. Raises ApiError, TransportError."""
    client = source.client.options(max_retries=0)
    return int(ask(patience, lambda: client.count(index=source.index, query=query))["count"])


def copy(
    source: IndexPlace,
    target: IndexPlace,
    query: Mapping[str, Any],
    patience: Patience,
    *,
    batch: int = 1000,
    limit: int | None = None,
    by_date: bool = False,
) -> Iterator[CopyStep]:
    """Copy what matches; a step after each batch. Raises ApiError, TransportError.

    With `by_date` the oldest come first, and each step says how far it has come: never beyond a
    document that failed.
    """
    tally, date = ScanTally(), ""
    bulk = Bulk(target.client, target.index, patience)
    wanted = {"query": query, "sort": BY_DATE if by_date else ANY_ORDER}
    client = source.client.options(max_retries=0)
    with closing(hits(client, source.index, wanted, patience, limit=limit, size=batch)) as found:
        for some in chunks(found, batch):
            _write(bulk, target.index, some, _there(target, some, patience), tally)
            if by_date and not tally.failed:
                date = str(some[-1]["sort"][0])
            yield CopyStep(tally, date)


def _there(
    target: IndexPlace, some: Sequence[dict[str, Any]], patience: Patience
) -> Container[str]:
    """The ids that are in any of the target's indices, as far as searches can see.

    An alias may have several; creating fails only for an id that is in the one written to.
    """
    client = target.client.options(max_retries=0)
    try:
        return ask(patience, lambda: copies(client, target.index, [hit["_id"] for hit in some]))
    except NotFoundError:
        return ()


def _write(
    bulk: Bulk, index: str, some: list[dict[str, Any]], there: Container[str], tally: ScanTally
) -> None:
    tally.read += len(some)
    new = [hit for hit in some if hit["_id"] not in there]
    tally.unchanged += len(some) - len(new)
    whole = [hit for hit in new if "_source" in hit]
    for hit in new:
        if "_source" not in hit:
            tally.fail(hit["_id"], "the index does not keep the documents' sources")
    lines = [Line.copy(index, hit["_id"], hit.get("_routing"), hit["_source"]) for hit in whole]
    for hit, result in zip(whole, bulk.send(lines), strict=True):
        if result.done:
            tally.done += 1
        elif result.status == CONFLICT:
            tally.unchanged += 1
        else:
            tally.fail(hit["_id"], result.why)
