"""Updates documents that an index already has. What is written is decided before anything is.

find → an Update each, with its differences → write the differences to a file → update
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from indexer.search import Added, Document, Erasure, IndexAnswer, SearchIndex
from indexer.search.documents import Unacceptable, acceptable
from indexer.search.language.dates import moment
from indexer.search.outages import ask
from indexer.stories.indexing.differences import Difference, DifferenceFile, differences
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.system.loggers import get_logger
from indexer.system.patience import Patience


class Intent(StrEnum):
    """The decision on a document."""

    CREATE = "create"
    UPDATE = "update"
    UNCHANGED = "unchanged"
    """The index has the same document."""
    ABSENT = "absent"
    """The index does not have the document, and the policy forbids to create it."""
    REPEATED = "repeated"
    """The policy forbids to replace the document, or a later one of the batch has the same id."""
    REFUSED = "refused"
    """No index would accept the document."""


@dataclass(frozen=True, slots=True)
class Update:
    """The decision on one document, in the form in which it is written; `why` for refused ones."""

    document: Document
    intent: Intent
    differences: Sequence[Difference] = ()
    why: str = ""

    @property
    def is_to_be_written(self) -> bool:
        """Whether the index changes."""
        return self.intent in (Intent.CREATE, Intent.UPDATE)


@dataclass(frozen=True, slots=True)
class UpdatePolicy:
    """Permissions: to `replace` documents that the index has, to `create` those it doesn't have."""

    replace: bool
    create: bool


def decide(
    documents: Sequence[Document], known: Mapping[str, Document], policy: UpdatePolicy
) -> list[Update]:
    """A decision for each document; `known` has the index's versions, by id.

    Of several documents with the same id, the last one counts.
    """
    last = {document.id: place for place, document in enumerate(documents)}
    return [
        _decision(document, known.get(document.id), policy)
        if last[document.id] == place
        else Update(document, Intent.REPEATED)
        for place, document in enumerate(documents)
    ]


def _decision(document: Document, known: Document | None, policy: UpdatePolicy) -> Update:
    try:
        if known is None:
            intent = Intent.CREATE if policy.create else Intent.ABSENT
            return Update(acceptable(document, STORY_FIELDS), intent)
        if not policy.replace:
            return Update(document, Intent.REPEATED)
        # Clients of the index ask for new documents by `indexed_date`, so an update must not change
        # it (stories.md 1.5).
        since = moment(known.text("indexed_date")) or document.get("indexed_date")
        document = acceptable(document.replace(indexed_date=since), STORY_FIELDS)
    except Unacceptable as error:
        return Update(document, Intent.REFUSED, why=str(error))
    found = differences(known, document)
    return Update(document, Intent.UPDATE if found else Intent.UNCHANGED, found)


log = get_logger()


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
