"""Documents written to Elasticsearch: each once, in whichever of the indices behind an alias.

    look the ids up in all indices → create what is new, in bulk → if the alias rolled over just
    before or meanwhile, look again, and delete what is now in an older index too

Creating fails for an id that is in the index written to, also one that searches can't see yet.
What is to be updated is created in the same way; then what was there already is replaced there.
"""

from collections.abc import Callable, Iterable, Sequence

import structlog
from elasticsearch import Elasticsearch

from indexer.search import Added, Document, IndexAnswer
from indexer.search.documents import FIELDS
from indexer.search.elasticsearch.bulk import Bulk, BulkResult, Line
from indexer.search.elasticsearch.indices import Copy, Indices, copies, indices
from indexer.search.elasticsearch.patience import BUSY, ask
from indexer.search.elasticsearch.setup import Settings
from indexer.search.language.dates import moment
from indexer.system.patience import Patience

CREATED, CONFLICT = 201, 409

_SERVERS_FAULT = {*BUSY, 401, 403, 404, 500, CONFLICT}
"""Not the document's: a full disk, a missing index, a shard that is not there; or the id was there,
and then no longer."""

log = structlog.get_logger()

Copies = dict[str, list[Copy]]


class DocumentWriter:
    """Creates and replaces documents behind one alias."""

    def __init__(
        self,
        client: Elasticsearch,
        given: Settings,
        patience: Patience,
        clock: Callable[[], float],
    ) -> None:
        self._client = client.options(max_retries=0)
        self._settings = given
        self._patience = patience
        self._bulk = Bulk(client, given.alias, patience)
        self._clock = clock

    def create(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """One answer for each of the documents, whose ids all differ."""
        there, written, known = self._create(documents)
        return [
            _answer(one, there.get(one.id, ()), written.get(one.id), known) for one in documents
        ]

    def update(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Replace those that are there, create the others: one answer each; their ids differ."""
        there, written, known = self._create(documents)
        replaced = self._replace([one for one in documents if one.id in there], there)
        return [
            replaced.get(one.id) or _answer(one, (), written.get(one.id), known)
            for one in documents
        ]

    def _create(
        self, documents: Sequence[Document]
    ) -> tuple[Copies, dict[str, BulkResult], Indices]:
        """Create what is new. What was there already, and what became of each that wasn't."""
        known = self._indices()
        there = self._copies([document.id for document in documents])
        new = [document for document in documents if document.id not in there]
        results = self._bulk.send([Line.create(one.id, _fields(one)) for one in new])
        written = {document.id: result for document, result in zip(new, results, strict=True)}
        there |= self._conflicts(written) | self._remove_late(known, written)
        return there, written, known

    def _replace(self, documents: Sequence[Document], there: Copies) -> dict[str, IndexAnswer]:
        """Write each document over all of its copies."""
        places = [(one, copy.index) for one in documents for copy in there[one.id]]
        lines = [Line.replace(index, one.id, _fields(one)) for one, index in places]
        answers: dict[str, IndexAnswer] = {}
        for (one, _), result in zip(places, self._bulk.send(lines), strict=True):
            answer = _replaced(result)
            answers[one.id] = min(answer, answers.get(one.id, answer), key=_badness)
        return answers

    def _indices(self) -> Indices:
        return ask(self._patience, lambda: indices(self._client, self._settings))

    def _copies(self, ids: Iterable[str]) -> Copies:
        return ask(self._patience, lambda: copies(self._client, self._settings.alias, ids))

    def _conflicts(self, written: dict[str, BulkResult]) -> Copies:
        """What is there of the documents that could not be created because they are there.

        Nothing of one that was deleted just then.
        """
        places = [
            {"_index": result.index, "_id": id}
            for id, result in written.items()
            if result.status == CONFLICT
        ]
        if not places:
            return {}
        # Unlike a search this sees what was written a moment ago.
        found = ask(
            self._patience,
            lambda: self._client.mget(docs=places, source_includes=["url", "indexed_date"]),
        )
        return {one["_id"]: [Copy.of(one)] for one in found["docs"] if one.get("found")}

    def _remove_late(self, known: Indices, written: dict[str, BulkResult]) -> Copies:
        """Delete what was created although it is in an older index; what there is of it there."""
        now = self._clock()
        doubtful = {
            id: result.index
            for id, result in written.items()
            if result.status == CREATED and known.may_have_missed(result.index, now)
        }
        if not doubtful:
            return {}
        known = self._indices()
        ask(self._patience, lambda: self._client.indices.refresh(index=self._settings.alias))
        found = self._copies(doubtful)
        older = {id: known.older(index, found.get(id, ())) for id, index in doubtful.items()}
        late = {id: copies for id, copies in older.items() if copies}
        self._delete({id: doubtful[id] for id in late})
        return late

    def _delete(self, places: dict[str, str]) -> None:
        lines = [Line.delete(index, id) for id, index in places.items()]
        for id, result in zip(places, self._bulk.send(lines), strict=True):
            if result.status >= 300:
                log.warning("duplicate-remains", id=id, index=result.index, why=result.why)


def _fields(document: Document) -> dict[str, str]:
    """The document as it is stored: without fields that are empty (stories.md 7.2)."""
    fields = {field: getattr(document, field) for field in FIELDS}
    return {field: value for field, value in fields.items() if value}


def _answer(
    document: Document, there: Sequence[Copy], result: BulkResult | None, known: Indices
) -> IndexAnswer:
    """The answer for a document of which copies are there, or that was written."""
    if there:
        meant = result.index if result else known.write
        return IndexAnswer(
            Added.DUPLICATE,
            elsewhere=all(copy.index != meant for copy in there),
            same=any(_is_same(document, copy) for copy in there),
        )
    if result and result.status == CREATED:
        return IndexAnswer(Added.CREATED)
    return _refused(result or BulkResult(0))


def _replaced(result: BulkResult) -> IndexAnswer:
    """The answer for one copy of a document: created, if it was deleted after it was found."""
    if not result.done:
        return _refused(result)
    return IndexAnswer(Added.CREATED if result.status == CREATED else Added.UPDATED)


def _badness(answer: IndexAnswer) -> int:
    """Of a document's copies the worst tells what became of it."""
    return (Added.REFUSED, Added.CREATED, Added.UPDATED).index(answer.added)


def _refused(result: BulkResult) -> IndexAnswer:
    return IndexAnswer(Added.REFUSED, result.why, again=result.status in _SERVERS_FAULT)


def _is_same(document: Document, copy: Copy) -> bool:
    return document.url == copy.url and document.indexed_date == moment(copy.indexed_date)
