"""Deleting documents from Elasticsearch: every copy that there is at one moment, an answer each."""

from collections.abc import Iterable, Sequence

from elasticsearch import Elasticsearch

from indexer.search import Erased, Erasure
from indexer.search.elasticsearch.bulk import Bulk, BulkResult, Line
from indexer.search.elasticsearch.patience import ask
from indexer.search.elasticsearch.points import IDS_AT_ONCE, hits, ids_at_once
from indexer.system.patience import Patience

MISSING = Erased(Erasure.MISSING)


def erase(
    client: Elasticsearch, alias: str, ids: Sequence[str], patience: Patience
) -> list[Erased]:
    """Delete all copies of documents; one answer each. Raises ApiError, TransportError."""
    client = client.options(max_retries=0)
    ask(patience, lambda: client.indices.refresh(index=alias))
    bulk = Bulk(client, alias, patience)
    gone: dict[str, Erased] = {}
    for some in ids_at_once(ids):
        places = _places(client, alias, some, patience)
        results = bulk.send([Line.delete(index, id) for index, id in places])
        for (_, id), result in zip(places, results, strict=True):
            gone[id] = _worse(gone.get(id, MISSING), _erased(result))
    ask(patience, lambda: client.indices.refresh(index=alias))
    return _in_order(ids, gone)


def _places(
    client: Elasticsearch, alias: str, ids: Sequence[str], patience: Patience
) -> list[tuple[str, str]]:
    """The index and id of every copy."""
    wanted = {"query": {"ids": {"values": ids}}, "source": False}
    found = hits(client, alias, wanted, patience, size=IDS_AT_ONCE)
    return [(hit["_index"], hit["_id"]) for hit in found]


def _erased(result: BulkResult) -> Erased:
    if result.done:
        return Erased(Erasure.DELETED)
    return MISSING if result.missing else Erased(Erasure.FAILED, result.why)


def _worse(one: Erased, other: Erased) -> Erased:
    """The answer for a document of which two copies were to be deleted."""
    order = (Erasure.FAILED, Erasure.DELETED, Erasure.MISSING)
    return min(one, other, key=lambda answer: order.index(answer.erasure))


def _in_order(ids: Iterable[str], gone: dict[str, Erased]) -> list[Erased]:
    """An answer for each id; one that was deleted is missing where it is named again."""
    found = []
    for id in ids:
        answer = gone.get(id, MISSING)
        found.append(answer)
        if answer.erasure is Erasure.DELETED:
            gone[id] = MISSING
    return found
