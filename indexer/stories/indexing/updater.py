"""Updates documents that an index already has.

find → decide → write the differences to a file → update
"""

from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from indexer.search import Added, Document, Erasure, IndexAnswer, SearchIndex
from indexer.search.outages import ask
from indexer.stories.indexing.differences import DifferenceFile
from indexer.stories.indexing.updates import Intent, Update, UpdatePolicy, decide
from indexer.system.patience import Patience

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Updater:
    """Updates an index according to a policy. A dry run only writes the differences to the file."""

    index: SearchIndex
    policy: UpdatePolicy
    differences: DifferenceFile
    patience: Patience
    dry_run: bool = False

    def update(self, documents: Sequence[Document]) -> list[tuple[Update, IndexAnswer | None]]:
        """The decision on each document, and the index's answer if the document was written.

        Raises SearchError, OSError.
        """
        ids = [document.id for document in documents]
        known, _ = ask(self.patience, lambda: self.index.find(ids))
        updates = decide(documents, known, self.policy)
        self.differences.write(each for update in updates for each in update.differences)
        answers = {} if self.dry_run else self._write(updates)
        return [
            (update, answers.get(update.document.id) if update.is_to_be_written else None)
            for update in updates
        ]

    def _write(self, updates: Sequence[Update]) -> dict[str, IndexAnswer]:
        """The index's answers by document id; none for documents erased in the meantime."""
        wanted = {each.document.id: each for each in updates if each.is_to_be_written}
        if not wanted:
            return {}
        documents = [update.document for update in wanted.values()]
        answers, _ = ask(self.patience, lambda: self.index.update(documents))
        answered = dict(zip(wanted, answers, strict=True))
        # An operator may erase a document between our search and our write. The write then creates
        # it again, although a take-down must last.
        revived = {
            id
            for id, answer in answered.items()
            if answer.added is Added.CREATED and wanted[id].intent is Intent.UPDATE
        }
        if revived and not self.policy.create:
            self._erase(sorted(revived))
            answered = {id: one for id, one in answered.items() if id not in revived}
        return answered

    def _erase(self, ids: Sequence[str]) -> None:
        """Delete documents that must stay erased."""
        erased, _ = ask(self.patience, lambda: self.index.delete(ids))
        for id, answer in zip(ids, erased, strict=True):
            if answer.erasure is Erasure.FAILED:
                log.error("an erased document is in the index again", id=id, why=answer.why)
