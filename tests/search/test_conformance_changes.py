"""The promises of every search index: finding, replacing and deleting documents by id."""

import pytest

from indexer.errors import SearchError
from indexer.search import Added, Document, Erasure, SearchIndex
from indexer.search.documents import acceptable
from indexer.search.language.query import Query
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.search.conftest import Opener
from tests.search.corpus import corpus, fill, found, kinds, story


def change(index: SearchIndex, *documents: Document) -> list[str]:
    """Update documents and make them visible; return the result of each."""
    answers = index.update(documents)
    index.refresh()
    return kinds(answers)


def test_existing_documents_are_found_by_id(index: SearchIndex) -> None:
    accepted = [acceptable(document, STORY_FIELDS) for document in corpus()]
    documents = {document.id: document for document in accepted}
    fill(index, *documents.values())
    ids = ["nothing", *documents, "en-flood", "\ud800", ""]
    assert index.find(ids) == documents
    assert index.find(iter(["en-flood"])) == {"en-flood": documents["en-flood"]}
    assert index.find([]) == {}


def test_thousands_are_looked_up_at_once(index: SearchIndex) -> None:
    fill(index, *(story(f"{number}") for number in range(120)))
    assert len(index.find(str(number) for number in range(3000))) == 120


def test_an_update_replaces_existing_documents_and_creates_others(index: SearchIndex) -> None:
    fill(index, story("a", "first"), story("b", "first"))
    assert change(index, story("new", "second"), story("a", "second")) == ["CREATED", "UPDATED"]
    assert (found(index, "first"), sorted(found(index, "second"))) == (["b"], ["a", "new"])
    assert index.count(Query()) == 3


def test_an_update_creates_a_missing_index(index: SearchIndex) -> None:
    assert change(index, story("a")) == ["CREATED"]
    assert found(index) == ["a"]


def test_an_update_replaces_every_field(index: SearchIndex) -> None:
    fill(index, story("a"))
    new = story("a", "Other", language=None, article_title=None, publication_date=None)
    change(index, new)
    assert index.get("a") == new
    assert found(index, "title") == []


def test_documents_that_are_not_refreshed_yet_are_updated(index: SearchIndex) -> None:
    index.add([story("a", "first")])
    assert change(index, story("a", "second")) == ["UPDATED"]
    assert (found(index, "first"), found(index, "second")) == ([], ["a"])


def test_the_last_document_of_an_id_is_written(index: SearchIndex) -> None:
    documents = [story("a", "first"), story("b"), story("a", "second"), story("a", "third")]
    assert change(index, *documents) == ["DUPLICATE", "CREATED", "DUPLICATE", "CREATED"]
    assert (found(index, "second"), found(index, "third")) == ([], ["a"])


def test_a_refused_update_changes_nothing(index: SearchIndex) -> None:
    fill(index, story("a", "first"))
    answers = index.update(
        [story("a", "half \ud83d"), story("b", indexed_date="never"), story("c")]
    )
    assert kinds(answers) == ["REFUSED", "REFUSED", "CREATED"]
    assert "surrogate" in answers[0].why
    assert not answers[0].again
    index.refresh()
    assert found(index, "first") == ["a"]
    assert index.get("b") is None


def test_an_updated_document_is_a_duplicate_when_added(index: SearchIndex) -> None:
    fill(index, story("a"))
    change(index, story("a", "second"))
    (answer,) = index.add([story("a", "third")])
    assert answer.added is Added.DUPLICATE


def test_a_repeated_update_does_no_harm(opener: Opener) -> None:
    documents = [story("a"), story("b")]
    assert change(opener(), *documents) == ["CREATED", "CREATED"]
    assert change(opener(), *documents) == ["UPDATED", "UPDATED"]
    assert opener().count(Query()) == 2


def test_nothing_to_update_is_no_problem(index: SearchIndex) -> None:
    assert index.update([]) == []


def test_many_documents_are_deleted_at_once_with_an_answer_each(index: SearchIndex) -> None:
    fill(index, *(story(str(number)) for number in range(60)))
    answers = index.delete([str(number) for number in range(1, 1300)])
    counts = [answer.erasure for answer in answers]
    assert counts == [Erasure.DELETED] * 59 + [Erasure.MISSING] * 1240
    assert found(index) == ["0"]


def test_an_id_that_no_document_can_have_is_missing(index: SearchIndex) -> None:
    fill(index, story("a"))
    assert [one.erasure for one in index.delete(["", "\ud800", "x" * 600])] == [Erasure.MISSING] * 3
    assert index.delete([]) == []


def test_looking_by_id_makes_no_index(index: SearchIndex) -> None:
    with pytest.raises(SearchError, match="makes one"):
        index.find(["a"])
