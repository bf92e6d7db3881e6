"""The promises of every search index: `indexer.search.SearchIndex` and stories.md 7.2."""

from datetime import date

import pytest

from indexer.errors import NoIndex, QueryError
from indexer.search import Added, Document, SearchIndex
from indexer.search.language.query import Query
from indexer.search.language.schema import Sort
from tests.search.conftest import Opener
from tests.search.corpus import corpus, fill, found, kinds, story

NEW_DOMAINS = Sort("canonical_domain", descending=True)


def ends(index: SearchIndex, *ids: str) -> list[str]:
    """Delete documents; return the result of each."""
    return [answer.erasure.value for answer in index.delete(ids)]


def test_each_document_has_its_answer_in_order(index: SearchIndex) -> None:
    fill(index, story("b"))
    answers = index.add([story("a"), story("b"), story("c"), story("c"), story("", "x")])
    assert kinds(answers) == ["CREATED", "DUPLICATE", "CREATED", "DUPLICATE", "REFUSED"]


def test_a_document_comes_back_as_it_was(index: SearchIndex) -> None:
    document = story("a", "Line one.\n\tLine two: “é”, 😀 & <b>\\ 中文\u200c", article_title="É")
    fill(index, document)
    assert index.get("a") == document
    assert [hit.document for hit in index.search(Query())] == [document]


def test_empty_fields_come_back_as_none(index: SearchIndex) -> None:
    document = story(
        "a", article_title=None, canonical_domain=None, language=None, publication_date=None
    )
    fill(index, document)
    assert index.get("a") == document


def test_nothing_exists_before_the_first_add(index: SearchIndex) -> None:
    fill(index, story("a"))
    assert index.get("b") is None
    assert index.get("\ud800") is None
    assert index.get("") is None


def test_a_document_with_a_url_of_any_length_is_accepted(index: SearchIndex) -> None:
    fill(index, story("a", url="https://site.example/" + "x" * 40_000))
    assert found(index) == ["a"]


def test_a_malformed_date_is_kept_and_matches_no_range(index: SearchIndex) -> None:
    """stories.md 8: `ignore_malformed`."""
    fill(index, story("a", publication_date="2024-13-45"), story("b"))
    assert index.get("a") == story("a", publication_date="2024-13-45")
    assert found(index, "date:[* TO *]") == ["b"]


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (story("a", "half \ud83d of a smile"), "surrogate"),
        (story("a", "a \x00 byte"), "NUL"),
        (story("\x00"), "NUL"),
        (story("a", language="\udc00"), "surrogate"),
        (story(""), "id"),
        (story("x" * 513), "id"),
        (story("a", canonical_domain="d" * 9000), "canonical_domain"),
        (story("a", indexed_date="yesterday"), "indexed_date"),
        (story("a", indexed_date="9999-01-01"), "indexed_date"),
        (story("a", "x" * 20_000_001), "20000000"),
    ],
    ids=["surrogate", "NUL", "NUL-id", "field", "no-id", "id", "domain", "date", "year", "size"],
)
def test_a_document_that_can_not_be_held_is_refused_with_the_reason(
    index: SearchIndex, document: Document, why: str
) -> None:
    good = story("good")
    answers = index.add([document, good])
    assert kinds(answers) == ["REFUSED", "CREATED"]
    assert why in answers[0].why
    assert not answers[0].again


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("2024-01-02 03:04:05.6", "2024-01-02T03:04:05.600000"),
        ("2024-01-02", "2024-01-02T00:00:00.000000"),
        ("2024-01-02T03:04:05+02:00", "2024-01-02T01:04:05.000000"),
    ],
)
def test_indexed_dates_are_all_written_alike(index: SearchIndex, given: str, kept: str) -> None:
    """stories.md 0.2: some stories of early 2024 have other forms."""
    fill(index, story("a", indexed_date=given))
    document = index.get("a")
    assert document
    assert document.get("indexed_date") == kept


def test_no_documents_are_no_problem(index: SearchIndex) -> None:
    assert index.add([]) == []


def test_a_duplicate_changes_nothing(index: SearchIndex) -> None:
    fill(index, story("a", "first"))
    index.add([story("a", "second", indexed_date="2025-01-01")])
    index.refresh()
    assert (found(index, "first"), found(index, "second")) == (["a"], [])


def test_a_document_that_comes_again_after_a_crash_is_recognised(index: SearchIndex) -> None:
    fill(index, story("a"))
    again, other = index.add([story("a"), story("a", indexed_date="2024-05-05")])
    assert (again.added, again.same) == (Added.DUPLICATE, True)
    assert (other.added, other.same) == (Added.DUPLICATE, False)


def test_a_document_added_a_moment_ago_is_a_duplicate_too(index: SearchIndex) -> None:
    first, second = index.add([story("a")]), index.add([story("a")])
    assert (kinds(first), kinds(second), second[0].same) == (["CREATED"], ["DUPLICATE"], True)


def test_documents_of_one_process_are_found_by_another(opener: Opener) -> None:
    fill(opener(), story("a"))
    assert found(opener()) == ["a"]


def test_a_deleted_document_is_gone(index: SearchIndex) -> None:
    fill(index, story("a", "needle"), story("b", "needle"))
    assert ends(index, "a", "nothing", "a") == ["deleted", "missing", "missing"]
    assert index.get("a") is None
    assert found(index, "needle") == ["b"]


def test_a_deleted_document_can_be_added_again(index: SearchIndex) -> None:
    fill(index, story("a", "first"))
    index.delete(["a"])
    fill(index, story("a", "second"))
    assert (found(index, "first"), found(index, "second")) == ([], ["a"])


def test_a_word_of_the_title_counts_more(index: SearchIndex) -> None:
    text = "Some other text about something else."
    fill(
        index,
        story("text", "A flood is here. " + text, article_title="News of today"),
        story("title", "Water is here now. " + text, article_title="Flood of today"),
        story("none", text),
    )
    hits = list(index.search(Query("flood")))
    assert [hit.document.id for hit in hits] == ["title", "text"]
    assert hits[0].score > hits[1].score > 0


def test_without_words_the_newest_come_first(index: SearchIndex) -> None:
    fill(
        index,
        story("old", publication_date="2023-01-01"),
        story("never", publication_date=None),
        story("new", publication_date="2024-01-01", indexed_date="2024-01-02"),
        story("newer", publication_date="2024-01-01", indexed_date="2024-01-03"),
    )
    assert found(index, "*") == ["newer", "new", "old", "never"]
    assert found(index, "domain:site.example -absent") == ["newer", "new", "old", "never"]


def test_hits_with_words_can_be_sorted_by_a_field(index: SearchIndex) -> None:
    fill(
        index,
        story("once", "flood", canonical_domain="b.example"),
        story("often", "flood flood", article_title="Flood", canonical_domain="c.example"),
        story("never", "fire", canonical_domain="a.example"),
    )
    for sort, ids in ((Sort("canonical_domain"), "once often"), (NEW_DOMAINS, "often once")):
        hits = list(index.search(Query("flood", sort=[sort])))
        assert " ".join(hit.document.id for hit in hits) == ids
        assert {hit.score for hit in hits} == {0.0}


def test_filters_narrow_a_query(index: SearchIndex) -> None:
    fill(index, *corpus())
    first, last = date(2024, 1, 15), date(2024, 1, 16)
    assert sorted(found(index, start=first, end=last)) == ["en-flood", "es-rio"]
    assert found(index, "bridge", start=first, end=first) == ["en-flood"]
    assert found(index, end=date(2023, 12, 31)) == ["en-tech"]
    assert found(index, languages=["RU", "zh"], domains=["gazeta.example"], end=last) == []
    assert sorted(found(index, languages=["ru", "EL"])) == ["el-potami", "ru-reka", "ru-vybory"]
    assert len(found(index, start=date.min, end=date.max)) == 24


def test_thousands_of_domains_are_a_filter_too(index: SearchIndex) -> None:
    fill(index, story("a"))
    domains = [f"site{number}.example" for number in range(5000)]
    assert found(index, domains=domains) == []
    assert found(index, domains=[*domains, "site.example"]) == ["a"]


def test_a_limit_is_kept_and_the_count_is_of_all(index: SearchIndex) -> None:
    fill(index, *corpus())
    assert len(found(index, "*", limit=3)) == 3
    assert index.count(Query("*", limit=3)) == len(corpus())


def test_a_snippet_shows_the_match_as_plain_text(index: SearchIndex) -> None:
    before, after = "Nothing of interest. " * 30, " And more of the same." * 30
    fill(index, story("a", f"{before}The <b>flood</b>\nrose\x1b[31m.{after}"))
    (hit,) = index.search(Query('flood OR "never there"'))
    assert "The <b>flood</b> rose[31m." in hit.snippet
    assert hit.snippet.startswith("…")
    assert hit.snippet.endswith("…")
    assert len(hit.snippet) < 300


def test_searching_makes_no_index(index: SearchIndex) -> None:
    for search in (lambda: found(index), lambda: index.count(Query()), lambda: index.get("a")):
        with pytest.raises(NoIndex, match=r"no search index .* `story-indexer run` .*makes one"):
            search()
    with pytest.raises(NoIndex):
        index.delete(["a"])
    index.refresh()


def test_a_bad_query_is_an_error_of_the_query(index: SearchIndex) -> None:
    for ask in (index.search, index.count):
        with pytest.raises(QueryError):
            ask(Query('"open'))


def test_a_closed_index_can_be_closed_again(index: SearchIndex) -> None:
    fill(index, story("a"))
    index.close()
    index.close()
