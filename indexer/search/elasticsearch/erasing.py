"""Deletes all copies of documents from the indices behind an alias, with an answer for each id."""

from collections.abc import Sequence

from elasticsearch import Elasticsearch

from indexer.search import Erased, Erasure
from indexer.search.elasticsearch.bulk import Bulk, BulkResult, delete_line
from indexer.search.elasticsearch.patience import ask
from indexer.search.elasticsearch.points import IDS_AT_ONCE, hits, ids_at_once
from indexer.system.patience import Patience

MISSING = Erased(Erasure.MISSING)

_WORST_FIRST = (Erasure.FAILED, Erasure.DELETED, Erasure.MISSING)


def erase(
    client: Elasticsearch, alias: str, ids: Sequence[str], patience: Patience
) -> list[Erased]:
    """Delete all copies of documents; one answer each. Raises ApiError, TransportError."""
    client = client.options(max_retries=0)
    # The copies are found by a search, which sees only what was refreshed.
    ask(patience, lambda: client.indices.refresh(index=alias))
    bulk = Bulk(client, alias, patience)
    answers: dict[str, Erased] = {}
    for some in ids_at_once(ids):
        wanted = {"query": {"ids": {"values": some}}, "source": False}
        found = hits(client, alias, wanted, patience, size=IDS_AT_ONCE)
        copies = [(hit["_index"], hit["_id"]) for hit in found]
        results = bulk.send([delete_line(index, id) for index, id in copies])
        for (_, id), result in zip(copies, results, strict=True):
            # One copy that remains means that the document remains.
            both = answers.get(id, MISSING), _erased(result)
            answers[id] = min(both, key=lambda answer: _WORST_FIRST.index(answer.erasure))
    ask(patience, lambda: client.indices.refresh(index=alias))
    return _in_order(ids, answers)


def _erased(result: BulkResult) -> Erased:
    if result.done:
        return Erased(Erasure.DELETED)
    return MISSING if result.missing else Erased(Erasure.FAILED, result.why)


def _in_order(ids: Sequence[str], answers: dict[str, Erased]) -> list[Erased]:
    """Return an answer for each id; the second mention of a deleted one is MISSING."""
    found = []
    for id in ids:
        found.append(answers.get(id, MISSING))
        if found[-1].erasure is Erasure.DELETED:
            del answers[id]
    return found
