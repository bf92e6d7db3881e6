"""The importer with --update and --dry-run: what has changed is replaced, and nothing else."""

from pathlib import Path

import pytest

from indexer.errors import Quarantine, Retry, SearchError
from indexer.messages.worker import Done
from indexer.news.normalized_urls import unique_url_hash
from indexer.search import Added, Document, IndexAnswer
from indexer.stories.indexing.differences import summarize
from indexer.stories.story import Story
from tests.search.servers import own_place
from tests.stories.archived import a_story
from tests.workers.stories.test_importer import again, endings, handle, index, make
from workers.stories.importer import ImporterOptions

UPDATED, UNCHANGED = ("Done", "updated", 1), ("Done", "unchanged", 0)
ABSENT, DUPLICATE = ("Discard", "absent", 0), ("Discard", "dups", 0)


def retitled(number: int, title: str = "New title") -> Story:
    """A story of the same URL, parsed at another time, and with another title."""
    story = again(number)
    story.content_metadata.article_title = title
    return story


def indexed(root: Path, number: int = 1) -> Document | None:
    return index(root).get(unique_url_hash(f"https://site.example/news/{number}"))


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A data directory whose index has the stories 1 and 2."""
    handle(make(tmp_path), a_story(1), a_story(2))
    return tmp_path


def test_what_has_changed_is_replaced_and_sent_on_and_nothing_else(filled: Path) -> None:
    worker = make(filled, update=True)
    assert handle(worker, retitled(1), again(2), a_story(3)) == [UPDATED, UNCHANGED, ABSENT]
    document = indexed(filled)
    assert document is not None
    assert (document.get("article_title"), document.get("indexed_date")) == (
        "New title",
        "2024-05-01T11:00:00.000001",
    )
    assert indexed(filled, 3) is None
    assert handle(worker, retitled(1)) == [UNCHANGED]


def test_what_changes_is_in_the_data_directory(filled: Path) -> None:
    worker = make(filled, update=True)
    handle(worker, retitled(1), again(2))
    worker.close()
    report = summarize([filled / "differences"])
    assert [(each.field, each.stories) for each in report.fields] == [("article_title", 1)]
    (example,) = report.fields[0].examples
    assert (example.url, example.before, example.after) == (
        "https://site.example/news/1",
        "عنوان 1",
        "New title",
    )


def test_what_changes_is_where_the_operator_wants_it(filled: Path, tmp_path: Path) -> None:
    handle(make(filled, update=True, differences=tmp_path / "here"), retitled(1))
    assert summarize([tmp_path / "here"]).stories == 1
    assert not (filled / "differences").exists()


def test_what_is_absent_is_created_only_if_that_is_asked_for(filled: Path) -> None:
    worker = make(filled, update=True, create_absent=True)
    assert handle(worker, a_story(3), again(2)) == [("Done", "created", 1), UNCHANGED]
    assert indexed(filled, 3) is not None


def test_a_dry_run_says_what_would_become_and_writes_nothing(filled: Path) -> None:
    before = [indexed(filled, number) for number in (1, 2, 3)]
    worker = make(filled, update=True, dry_run=True)
    would_update = ("Done", "would-update", 0)
    assert handle(worker, retitled(1), again(2), a_story(3)) == [would_update, UNCHANGED, ABSENT]
    worker = make(filled, update=True, create_absent=True, dry_run=True)
    assert handle(worker, retitled(1), a_story(3)) == [would_update, ("Done", "would-create", 0)]
    worker = make(filled, dry_run=True)
    assert handle(worker, retitled(1), a_story(3)) == [DUPLICATE, ("Done", "would-create", 0)]
    assert [indexed(filled, number) for number in (1, 2, 3)] == before
    assert summarize([filled / "differences"]).stories == 1


@pytest.mark.parametrize("options", [{"update": True}, {"dry_run": True}])
def test_an_index_that_is_not_there_is_an_error_at_once_and_not_made(
    tmp_path: Path, options: dict[str, bool]
) -> None:
    with pytest.raises(SearchError, match="no search index"):
        make(tmp_path, **options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.external
def test_that_is_so_on_a_server_too(tmp_path: Path, elasticsearch_url: str) -> None:
    with (
        own_place(elasticsearch_url) as place,
        pytest.raises(SearchError, match=f"no search index {place.alias}"),
    ):
        make(tmp_path, update=True, index_url=place.url)


def test_of_several_copies_in_a_batch_the_last_counts(filled: Path) -> None:
    worker = make(filled, update=True)
    assert handle(worker, retitled(1, "First"), retitled(1, "Last")) == [DUPLICATE, UPDATED]
    document = indexed(filled)
    assert document is not None
    assert document.get("article_title") == "Last"


def test_a_story_that_a_dead_process_had_updated_is_sent_on(filled: Path) -> None:
    handle(make(filled, update=True), retitled(1))
    worker = make(filled, update=True)
    worker.add_again(retitled(1))
    worker.add(again(2))
    assert worker.flush() == [Done([retitled(1)], "unchanged"), Done([], "unchanged")]


def test_a_document_that_no_index_takes_is_quarantined(filled: Path) -> None:
    worker = make(filled, update=True)
    worker.add(retitled(1, "a NUL: \0"))
    (ending,) = worker.flush()
    assert isinstance(ending, Quarantine)
    assert (ending.status, ending.why) == ("reqerr", "it has a NUL character")


@pytest.mark.parametrize(
    ("answer", "ending", "why"),
    [
        (IndexAnswer(Added.REFUSED, "mapper"), Quarantine, "mapper"),
        (IndexAnswer(Added.REFUSED, "busy", again=True), Retry, "busy"),
    ],
)
def test_an_index_that_refuses_says_why(
    filled: Path, monkeypatch: pytest.MonkeyPatch, answer: IndexAnswer, ending: type, why: str
) -> None:
    monkeypatch.setattr("indexer.search.sqlite.index.SQLiteIndex.update", lambda *_: [answer])
    worker = make(filled, update=True)
    worker.add(retitled(1))
    (found,) = worker.flush()
    assert isinstance(found, ending)
    assert str(found).endswith(why)


def test_an_index_that_fails_as_a_whole_ends_the_program(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(*_: object) -> None:
        raise SearchError("unreachable")

    worker = make(filled, update=True)
    monkeypatch.setattr("indexer.search.sqlite.index.SQLiteIndex.find", unreachable)
    worker.add(retitled(1))
    with pytest.raises(SearchError):
        worker.flush()


def test_differences_that_can_not_be_written_down_are_not_made(filled: Path) -> None:
    (filled / "differences").write_text("no directory")
    worker = make(filled, update=True)
    worker.add(retitled(1))
    with pytest.raises(OSError, match="differences"):
        worker.flush()
    document = indexed(filled)
    assert document is not None
    assert document.get("article_title") == "عنوان 1"


def test_without_output_what_is_updated_is_not_sent_on(filled: Path) -> None:
    assert handle(make(filled, update=True, output=False), retitled(1)) == [("Done", "updated", 0)]


def test_an_empty_batch_is_normal(filled: Path) -> None:
    assert endings(make(filled, update=True).flush()) == []


def test_a_flavor_sets_it_by_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPORTER_UPDATE", "true")
    monkeypatch.setenv("IMPORTER_DRY_RUN", "1")
    monkeypatch.setenv("IMPORTER_DIFFERENCES", "/srv/differences")
    options = ImporterOptions.parse("importer", "", [])
    assert (options.update, options.dry_run) == (True, True)
    assert options.differences == Path("/srv/differences")
    assert ImporterOptions.parse("importer", "", ["--no-update", "-n"]).update is False
