"""Decides on documents that the index may already have, before anything is written.

documents, the index's versions of them → an Update each, with its differences
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from indexer.search import Document
from indexer.search.documents import Unacceptable, acceptable
from indexer.search.language.dates import moment
from indexer.stories.indexing.differences import Difference, differences


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
            return Update(acceptable(document), intent)
        if not policy.replace:
            return Update(document, Intent.REPEATED)
        # Clients of the index ask for new documents by `indexed_date`, so an update must not change
        # it (stories.md 1.5).
        since = moment(known.indexed_date) or document.indexed_date
        document = acceptable(replace(document, indexed_date=since))
    except Unacceptable as error:
        return Update(document, Intent.REFUSED, why=str(error))
    found = differences(known, document)
    return Update(document, Intent.UPDATE if found else Intent.UNCHANGED, found)
