"""Writes and deletes documents so that the indices behind an alias have each of them once.

    look up the ids in all indices → create the new ones, in bulk → if the alias rolled over just
    before or meanwhile, look up again, and delete new copies of documents that an older index has

Creating fails for an id that the write index has, even before a refresh; no such check exists for
the older indices. An update begins with the same steps; then it replaces the existing documents.
A deletion deletes the copies in all indices.
"""

from collections.abc import Callable, Iterable, Sequence

from elasticsearch import Elasticsearch

from indexer.search import Added, Document, Erased, Erasure, IndexAnswer
from indexer.search.documents import is_same
from indexer.search.elasticsearch.bulk import (
    Bulk,
    BulkResult,
    create_line,
    delete_line,
    replace_line,
)
from indexer.search.elasticsearch.errors import BUSY, ask
from indexer.search.elasticsearch.indices import Copy, Indices, copies, indices
from indexer.search.elasticsearch.mapping import source
from indexer.search.elasticsearch.points import IDS_AT_ONCE, hits, ids_at_once
from indexer.search.elasticsearch.setup import Settings
from indexer.search.language.schema import Schema
from indexer.system.loggers import get_logger
from indexer.system.patience import Patience

CREATED, CONFLICT = 201, 409

_SERVERS_FAULT = {*BUSY, 401, 403, 404, 500, CONFLICT}
"""Statuses that the document did not cause: a full disk, a missing index, an unavailable shard; a
conflict if the document was deleted right after it."""

MISSING = Erased(Erasure.MISSING)

_WORST_FIRST = (Erasure.FAILED, Erasure.DELETED, Erasure.MISSING)

log = get_logger()

Copies = dict[str, list[Copy]]


class DocumentWriter:
    """Creates, replaces and deletes documents behind one alias."""

    def __init__(
        self,
        client: Elasticsearch,
        given: Settings,
        schema: Schema,
        patience: Patience,
        clock: Callable[[], float],
    ) -> None:
        self._client = client.options(max_retries=0)
        self._settings = given
        self._schema = schema
        self._patience = patience
        self._bulk = Bulk(client, given.alias, patience)
        self._clock = clock
        self._warned: set[str] = set()

    def create(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Create documents with different ids; one answer each."""
        existing, written, known = self._create(documents)
        return [
            self._answer(one, existing.get(one.id, ()), written.get(one.id), known)
            for one in documents
        ]

    def update(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Replace the existing documents and create the others; one answer each. All ids differ."""
        existing, written, known = self._create(documents)
        replaced = self._replace([one for one in documents if one.id in existing], existing)
        return [
            replaced.get(one.id) or self._answer(one, (), written.get(one.id), known)
            for one in documents
        ]

    def delete(self, ids: Sequence[str]) -> list[Erased]:
        """Delete all copies of documents; one answer each."""
        # The copies are found by a search, which sees only what was refreshed.
        self._refresh()
        answers: dict[str, Erased] = {}
        for some in ids_at_once(ids):
            wanted = {"query": {"ids": {"values": some}}, "source": False}
            found = hits(
                self._client, self._settings.alias, wanted, self._patience, size=IDS_AT_ONCE
            )
            places = [(hit["_index"], hit["_id"]) for hit in found]
            results = self._bulk.send([delete_line(index, id) for index, id in places])
            for (_, id), result in zip(places, results, strict=True):
                # One copy that remains means that the document remains.
                both = answers.get(id, MISSING), _erased(result)
                answers[id] = min(both, key=lambda answer: _WORST_FIRST.index(answer.erasure))
        self._refresh()
        return _in_order(ids, answers)

    def _create(
        self, documents: Sequence[Document]
    ) -> tuple[Copies, dict[str, BulkResult], Indices]:
        """Create the new documents.

        Return the copies of those that existed, the results of the others, and the indices.
        """
        known = self._indices()
        existing = self._copies([document.id for document in documents])
        new = [document for document in documents if document.id not in existing]
        results = self._bulk.send([create_line(one.id, source(one, self._schema)) for one in new])
        written = {document.id: result for document, result in zip(new, results, strict=True)}
        existing |= self._conflicts(written) | self._remove_late(known, written)
        return existing, written, known

    def _replace(self, documents: Sequence[Document], existing: Copies) -> dict[str, IndexAnswer]:
        """Replace all copies of each document."""
        places = [(one, copy.index) for one in documents for copy in existing[one.id]]
        lines = [replace_line(index, one.id, source(one, self._schema)) for one, index in places]
        answers: dict[str, IndexAnswer] = {}
        for (one, _), result in zip(places, self._bulk.send(lines), strict=True):
            answer = _replaced(result)
            answers[one.id] = min(answer, answers.get(one.id, answer), key=_severity)
        return answers

    def _indices(self) -> Indices:
        known = ask(self._patience, lambda: indices(self._client, self._settings, self._schema))
        if known.write not in self._warned:
            self._warned.add(known.write)
            _warn(known)
        return known

    def _refresh(self) -> None:
        ask(self._patience, lambda: self._client.indices.refresh(index=self._settings.alias))

    def _copies(self, ids: Iterable[str]) -> Copies:
        return ask(
            self._patience,
            lambda: copies(self._client, self._settings.alias, ids, self._schema.identity),
        )

    def _conflicts(self, written: dict[str, BulkResult]) -> Copies:
        """Return the copies of documents that the write index had already.

        A document that was deleted meanwhile has none.
        """
        places = [
            {"_index": result.index, "_id": id}
            for id, result in written.items()
            if result.status == CONFLICT
        ]
        if not places:
            return {}
        # Unlike a search, `mget` sees documents that are not refreshed yet.
        found = ask(
            self._patience,
            lambda: self._client.mget(
                docs=places,
                source=bool(self._schema.identity),
                source_includes=self._schema.identity or None,
            ),
        )
        return {one["_id"]: [Copy.of(one)] for one in found["docs"] if one.get("found")}

    def _remove_late(self, known: Indices, written: dict[str, BulkResult]) -> Copies:
        """Delete new documents that an older index has too; return the older copies."""
        now = self._clock()
        doubtful = {
            id: result.index
            for id, result in written.items()
            if result.status == CREATED and known.may_have_missed(result.index, now)
        }
        if not doubtful:
            return {}
        # Ask again: the alias may have rolled over while the documents were written.
        known = self._indices()
        self._refresh()
        found = self._copies(doubtful)
        older = {id: known.older(index, found.get(id, ())) for id, index in doubtful.items()}
        late = {id: copies for id, copies in older.items() if copies}
        self._delete({id: doubtful[id] for id in late})
        return late

    def _answer(
        self,
        document: Document,
        existing: Sequence[Copy],
        result: BulkResult | None,
        known: Indices,
    ) -> IndexAnswer:
        """Return the answer for a document that existed, or was written with a result."""
        if existing:
            meant = result.index if result else known.write
            return IndexAnswer(
                Added.DUPLICATE,
                elsewhere=all(copy.index != meant for copy in existing),
                same=any(is_same(document, copy.values, self._schema) for copy in existing),
            )
        if result and result.status == CREATED:
            return IndexAnswer(Added.CREATED)
        return _refused(result or BulkResult(0))

    def _delete(self, places: dict[str, str]) -> None:
        lines = [delete_line(index, id) for id, index in places.items()]
        for id, result in zip(places, self._bulk.send(lines), strict=True):
            if result.status >= 300:
                log.warning("duplicate-remains", id=id, index=result.index, why=result.why)


def _replaced(result: BulkResult) -> IndexAnswer:
    """Return the answer for one copy; CREATED if it was deleted between look-up and update."""
    if not result.done:
        return _refused(result)
    return IndexAnswer(Added.CREATED if result.status == CREATED else Added.UPDATED)


def _severity(answer: IndexAnswer) -> int:
    """Rank answers: that of the worst copy is the answer for the document."""
    return (Added.REFUSED, Added.CREATED, Added.UPDATED).index(answer.added)


def _refused(result: BulkResult) -> IndexAnswer:
    return IndexAnswer(Added.REFUSED, result.why, again=result.status in _SERVERS_FAULT)


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


def _warn(known: Indices) -> None:
    """Log what can't be searched, or not well, in the write index."""
    if known.absent:
        log.warning(
            "fields-not-searchable",
            index=known.write,
            fields=known.absent,
            why="the index is of an earlier version: `elastic-conf` adds them",
        )
    for limit in known.limits:
        log.warning("searches-limited", why=limit)
