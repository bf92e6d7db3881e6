"""Documents that are in an index, replaced by what they are now."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from indexer.errors import SearchError
from indexer.search import Added, Document, Erased, Erasure, IndexAnswer, SearchIndex, open_index
from indexer.stories.indexing.differences import DifferenceFile, summarize
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.stories.indexing.updater import Intent, Update, UpdatePolicy, Updater, decide
from indexer.system.patience import Patience
from tests.each_row import each_row
from tests.logged import capture_logs

THERE = Document("a", {}).replace(
    url="https://site.example/a",
    text_content="Text",
    indexed_date="2024-05-01T00:00:00.000001",
    article_title="Title",
)
CHANGED = THERE.replace(article_title="New title", indexed_date="2026-01-01T00:00:00.000000")
RETITLED = THERE.replace(article_title="New title")
OTHER = replace(THERE.replace(url="https://site.example/b"), id="b")
BAD = THERE.replace(text_content="a NUL: \0")

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
    assert update.document == THERE.replace(article_title="New title")
    assert [each.field for each in update.differences] == ["article_title"]


@each_row(
    ("there", "kept"),
    [
        ("2024-02-03", "2024-02-03T00:00:00.000000"),
        ("2024-02-03 04:05:06", "2024-02-03T04:05:06.000000"),
        ("", CHANGED.text("indexed_date")),
        ("nonsense", CHANGED.text("indexed_date")),
    ],
)
def test_the_date_it_was_indexed_is_written_in_one_form(there: str, kept: str) -> None:
    (update,) = decided(UPDATE, CHANGED, known=THERE.replace(indexed_date=there))
    assert update.document.get("indexed_date") == kept


def test_of_several_with_one_id_the_last_counts() -> None:
    first = CHANGED.replace(article_title="Another")
    updates = decided(UPSERT, OTHER, first, OTHER, CHANGED)
    intents = [update.intent for update in updates]
    assert intents == [Intent.REPEATED, Intent.REPEATED, Intent.CREATE, Intent.UPDATE]
    assert updates[3].document.get("article_title") == "New title"


def test_the_reason_of_a_refusal_is_kept() -> None:
    assert decided(UPDATE, BAD)[0].why == "it has a NUL character"


NOW = datetime(2024, 5, 2, tzinfo=UTC)


class Watched:
    """An index that tells what it is asked, in order, and fails as it is told."""

    def __init__(self, index: SearchIndex, path: Path) -> None:
        self.index = index
        self.path = path
        self.asked: list[str] = []
        self.failures = 0
        self.erased_meanwhile = False

    def find(self, ids: Iterable[str]) -> dict[str, Document]:
        self.asked.append("find")
        if self.failures > 0:
            self.failures -= 1
            raise SearchError("unreachable")
        found = self.index.find(ids)
        if self.erased_meanwhile:
            self.index.delete(list(found))
        return found

    def update(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        # What changes is on disk before the index is told.
        self.asked.append(f"update, {summarize([self.path]).stories} written down")
        return self.index.update(documents)

    def delete(self, ids: Sequence[str]) -> list[Erased]:
        self.asked.append("delete")
        return self.index.delete(ids)


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    index = open_index(f"sqlite:///{tmp_path / 'index.sqlite3'}", STORY_FIELDS)
    index.add([THERE])
    (tmp_path / "differences").mkdir()
    return Watched(index, tmp_path / "differences")


def make(watched: Watched, *, create: bool = False, dry_run: bool = False) -> Updater:
    return Updater(
        watched,  # type: ignore[arg-type]  # no more of an index is asked for
        UpdatePolicy(replace=True, create=create),
        DifferenceFile(watched.path, NOW),
        Patience(sleep=lambda _: None, attempts=3),
        dry_run,
    )


def test_what_changes_is_written_down_before_the_index_is_told(watched: Watched) -> None:
    ((update, answer),) = make(watched).update([RETITLED])
    assert (update.intent, answer) == (Intent.UPDATE, IndexAnswer(Added.UPDATED))
    assert watched.asked == ["find", "update, 1 written down"]
    assert watched.index.get("a") == RETITLED


def test_in_a_dry_run_only_what_would_change_is_written_down(watched: Watched) -> None:
    ((update, answer),) = make(watched, dry_run=True).update([RETITLED])
    assert (update.intent, answer) == (Intent.UPDATE, None)
    assert watched.asked == ["find"]
    assert watched.index.get("a") == THERE
    assert summarize([watched.path]).stories == 1


def test_what_is_the_same_or_absent_is_not_written(watched: Watched) -> None:
    other = replace(THERE, id="b")
    updates = make(watched).update([THERE, other])
    assert [(update.intent, answer) for update, answer in updates] == [
        (Intent.UNCHANGED, None),
        (Intent.ABSENT, None),
    ]
    assert watched.asked == ["find"]
    assert watched.index.get("b") is None


def test_what_is_erased_meanwhile_stays_erased(watched: Watched) -> None:
    watched.erased_meanwhile = True
    ((update, answer),) = make(watched).update([RETITLED])
    assert (update.intent, answer) == (Intent.UPDATE, None)
    assert watched.asked[-1] == "delete"
    assert watched.index.get("a") is None


def test_who_creates_what_is_absent_creates_that_too(watched: Watched) -> None:
    watched.erased_meanwhile = True
    ((_, answer),) = make(watched, create=True).update([RETITLED])
    assert answer == IndexAnswer(Added.CREATED)
    assert watched.index.get("a") == RETITLED


def test_what_could_not_be_erased_again_is_told(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched.erased_meanwhile = True
    failed = [Erased(Erasure.FAILED, "read-only")]
    monkeypatch.setattr(watched, "delete", lambda ids: failed)
    with capture_logs() as told:
        make(watched).update([RETITLED])
    assert [(each["log_level"], each["id"], each["why"]) for each in told] == [
        ("error", "a", "read-only")
    ]


def test_an_index_that_comes_back_is_asked_again_and_one_that_does_not_is_an_error(
    watched: Watched,
) -> None:
    watched.failures = 2
    assert make(watched).update([RETITLED])[0][1] == IndexAnswer(Added.UPDATED)
    watched.failures = 3
    with pytest.raises(SearchError, match="unreachable"):
        make(watched).update([THERE])


def test_a_batch_that_comes_again_changes_nothing(watched: Watched) -> None:
    for intent in (Intent.UPDATE, Intent.UNCHANGED):
        ((update, _),) = make(watched).update([RETITLED])
        assert update.intent is intent
    assert summarize([watched.path]).stories == 1


def test_nothing_is_asked_of_an_index_for_an_empty_batch(watched: Watched) -> None:
    assert make(watched).update([]) == []
    assert watched.asked == ["find"]
