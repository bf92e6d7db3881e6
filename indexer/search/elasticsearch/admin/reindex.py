"""Copies documents from one index to another, which may be on another server.

    read a batch from a point in time → leave out documents that any of the target's indices has
    → create each of the others unless its id exists → count the results

The server's own reindex is not used: it is not on every server, and a task that the server loses
loses its state and its failures.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from elasticsearch import Elasticsearch, NotFoundError

from indexer.errors import ConfigurationError
from indexer.search.elasticsearch.bulk import Bulk, copy_line
from indexer.search.elasticsearch.errors import ask, search_errors
from indexer.search.elasticsearch.indices import copies
from indexer.search.elasticsearch.points import ANY_ORDER, hits
from indexer.search.elasticsearch.scan import ScanTally
from indexer.search.elasticsearch.setup import connect, settings
from indexer.system.patience import Patience
from indexer.text.chunks import chunks

CONFLICT = 409


@dataclass(frozen=True, slots=True)
class IndexPlace:
    """An index or alias on a server; a source may be several, separated by commas."""

    client: Elasticsearch
    hosts: str
    index: str

    @property
    def name(self) -> str:
        """The unique name, without credentials."""
        return f"{self.hosts}/{self.index}"


@contextmanager
def open_pair(source: str, target: str, names: str) -> Iterator[tuple[IndexPlace, IndexPlace]]:
    """Open the indices of two URLs; `names` replace the name in the first URL.

    Errors of both clients are raised as SearchError. Raises ConfigurationError, SearchError.
    """
    ends = settings(source), settings(target)
    hosts = [", ".join(given.hosts) for given in ends]
    with ExitStack() as stack:
        clients = [stack.enter_context(closing(connect(given))) for given in ends]
        stack.enter_context(search_errors(ends[0].alias, " or ".join(dict.fromkeys(hosts))))
        yield (
            IndexPlace(clients[0], hosts[0], names or ends[0].alias),
            IndexPlace(clients[1], hosts[1], ends[1].alias),
        )


def one_by_one(
    source: IndexPlace, target: IndexPlace, suffix: str
) -> list[tuple[IndexPlace, IndexPlace]]:
    """Pair each source index with the target index of its name and suffix. Raises ApiError."""
    found = sorted(source.client.indices.get(index=source.index, filter_path="*.aliases"))
    return [(replace(source, index=name), replace(target, index=name + suffix)) for name in found]


def make_ready(target: IndexPlace, *, create: bool) -> None:
    """Ensure that the target index exists. Raises ConfigurationError, ApiError, TransportError."""
    # Elasticsearch would create it at the first write, perhaps with the wrong fields.
    if target.client.indices.exists(index=target.index):
        return
    if not create:
        raise ConfigurationError(
            f"there is no index {target.index} at {target.hosts}: create it with `elastic-conf`, "
            "or use --create"
        )
    target.client.indices.create(index=target.index)


class CopyStep(NamedTuple):
    """The progress of a copy. Everything up to the date has been copied."""

    tally: ScanTally
    date: str


def count(source: IndexPlace, query: Mapping[str, Any], patience: Patience) -> int:
    """Return the number of documents to copy. Raises ApiError, TransportError."""
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
    by_date: str = "",
) -> Iterator[CopyStep]:
    """Copy the matching documents; yield a step after each batch. Raises ApiError, TransportError.

    With the field `by_date` the oldest documents come first, and each step has a date, which never
    passes a failed document.
    """
    tally, date = ScanTally(), ""
    bulk = Bulk(target.client, target.index, patience)
    wanted = {"query": query, "sort": _oldest_first(by_date) if by_date else ANY_ORDER}
    client = source.client.options(max_retries=0)
    with closing(hits(client, source.index, wanted, patience, limit=limit, size=batch)) as found:
        for some in chunks(found, batch):
            _write(bulk, target.index, some, _existing(target, some, patience), tally)
            if by_date and not tally.failed:
                date = str(some[-1]["sort"][0])
            yield CopyStep(tally, date)


def _oldest_first(field: str) -> list[dict[str, Any]]:
    dates = {
        "order": "asc",
        "numeric_type": "date_nanos",
        "format": "strict_date_optional_time_nanos",
        "unmapped_type": "date_nanos",
    }
    return [{field: dates}, *ANY_ORDER]


def _existing(
    target: IndexPlace, some: Sequence[dict[str, Any]], patience: Patience
) -> Container[str]:
    """Return the ids that any of the target's indices has, as of the last refresh."""
    # Creating fails only for an id of the write index, and an alias may have older indices too.
    client = target.client.options(max_retries=0)
    try:
        return ask(patience, lambda: copies(client, target.index, [hit["_id"] for hit in some]))
    except NotFoundError:
        return ()


def _write(
    bulk: Bulk, index: str, some: list[dict[str, Any]], existing: Container[str], tally: ScanTally
) -> None:
    tally.read += len(some)
    new = [hit for hit in some if hit["_id"] not in existing]
    tally.unchanged += len(some) - len(new)
    whole = [hit for hit in new if "_source" in hit]
    for hit in new:
        if "_source" not in hit:
            tally.fail(hit["_id"], "the index does not store the documents' sources")
    lines = [copy_line(index, hit["_id"], hit.get("_routing"), hit["_source"]) for hit in whole]
    for hit, result in zip(whole, bulk.send(lines), strict=True):
        if result.done:
            tally.done += 1
        elif result.status == CONFLICT:
            tally.unchanged += 1
        else:
            tally.fail(hit["_id"], result.why)
