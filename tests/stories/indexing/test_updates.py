"""What is to become of documents that may be in the index."""

from dataclasses import replace

import pytest

from indexer.search import Document
from indexer.stories.indexing.updates import Intent, Update, UpdatePolicy, decide
from tests.each_row import each_row

THERE = Document("a", "https://site.example/a", "Text", "2024-05-01T00:00:00.000001", "Title")
CHANGED = replace(THERE, article_title="New title", indexed_date="2026-01-01T00:00:00.000000")
OTHER = replace(THERE, id="b", url="https://site.example/b")
BAD = replace(THERE, text_content="a NUL: \0")

UPDATE = UpdatePolicy(replace=True, create=False)
UPSERT = UpdatePolicy(replace=True, create=True)
ADD = UpdatePolicy(replace=False, create=True)


def decided(policy: UpdatePolicy, *documents: Document, known: Document = THERE) -> list[Update]:
    return decide(documents, {known.id: known}, policy)


@each_row(
    ("policy", "document", "intent"),
    [
        (UPDATE, THERE, Intent.UNCHANGED),
        (UPDATE, CHANGED, Intent.UPDATE),
        (UPDATE, OTHER, Intent.ABSENT),
        (UPDATE, BAD, Intent.REFUSED),
        (UPDATE, replace(BAD, id="b"), Intent.REFUSED),
        (UPSERT, THERE, Intent.UNCHANGED),
        (UPSERT, CHANGED, Intent.UPDATE),
        (UPSERT, OTHER, Intent.CREATE),
        (ADD, THERE, Intent.REPEATED),
        (ADD, CHANGED, Intent.REPEATED),
        (ADD, OTHER, Intent.CREATE),
    ],
)
def test_decisions(policy: UpdatePolicy, document: Document, intent: Intent) -> None:
    (update,) = decided(policy, document)
    assert update.intent is intent
    assert update.is_to_be_written == (intent in (Intent.CREATE, Intent.UPDATE))
    assert bool(update.differences) == (intent is Intent.UPDATE)


def test_what_is_replaced_keeps_the_date_it_was_indexed() -> None:
    (update,) = decided(UPDATE, CHANGED)
    assert update.document == replace(THERE, article_title="New title")
    assert [each.field for each in update.differences] == ["article_title"]


@pytest.mark.parametrize(
    ("there", "kept"),
    [
        ("2024-02-03", "2024-02-03T00:00:00.000000"),
        ("2024-02-03 04:05:06", "2024-02-03T04:05:06.000000"),
        ("", CHANGED.indexed_date),
        ("nonsense", CHANGED.indexed_date),
    ],
)
def test_the_date_it_was_indexed_is_written_in_one_form(there: str, kept: str) -> None:
    (update,) = decided(UPDATE, CHANGED, known=replace(THERE, indexed_date=there))
    assert update.document.indexed_date == kept


def test_of_several_with_one_id_the_last_counts() -> None:
    first = replace(CHANGED, article_title="Another")
    updates = decided(UPSERT, OTHER, first, OTHER, CHANGED)
    intents = [update.intent for update in updates]
    assert intents == [Intent.REPEATED, Intent.REPEATED, Intent.CREATE, Intent.UPDATE]
    assert updates[3].document.article_title == "New title"


def test_the_reason_of_a_refusal_is_kept() -> None:
    assert decided(UPDATE, BAD)[0].why == "it has a NUL character"
