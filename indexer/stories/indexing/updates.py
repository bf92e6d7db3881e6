"""What is to become of documents of which the index may have one: decided before it is written.

documents, what the index has of them → an Update each, with its differences
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from indexer.search import Document
from indexer.search.documents import Unacceptable, acceptable
from indexer.search.language.dates import moment
from indexer.stories.indexing.differences import Difference, differences


class Intent(StrEnum):
    """What is meant to become of a document."""

    CREATE = "create"
    UPDATE = "update"
    UNCHANGED = "unchanged"
    """The index has it like that."""
    ABSENT = "absent"
    """The index does not have it, and is not to get it."""
    REPEATED = "repeated"
    """The index has it, and is to keep that; or a later one of the batch has its id."""
    REFUSED = "refused"
    """No index would take it."""


@dataclass(frozen=True, slots=True)
class Update:
    """The decision on one document, which is in the form to be written; `why` it is refused."""

    document: Document
    intent: Intent
    differences: Sequence[Difference] = ()
    why: str = ""

    @property
    def is_to_be_written(self) -> bool:
        """Whether it changes the index."""
        return self.intent in (Intent.CREATE, Intent.UPDATE)


@dataclass(frozen=True, slots=True)
class UpdatePolicy:
    """What may be done. `replace`: to documents that are there. `create`: to those that aren't."""

    replace: bool
    create: bool


def decide(
    documents: Sequence[Document], known: Mapping[str, Document], policy: UpdatePolicy
) -> list[Update]:
    """One decision for each of the documents; `known` is what the index has of them, by id.

    A document that is replaced keeps its `indexed_date`: that is when it came in, and clients of
    the index ask for what is new by it (stories.md 1.5). Of several with one id the last counts.
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
        since = moment(known.indexed_date) or document.indexed_date
        document = acceptable(replace(document, indexed_date=since))
    except Unacceptable as error:
        return Update(document, Intent.REFUSED, why=str(error))
    found = differences(known, document)
    return Update(document, Intent.UPDATE if found else Intent.UNCHANGED, found)
