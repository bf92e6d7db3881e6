"""The importer: one answer a story, and what was created goes on."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from indexer.errors import Discard, Disposition, Quarantine, Retry, SearchError
from indexer.messages.message import DROPPED
from indexer.messages.worker import Done
from indexer.news.normalized_urls import unique_url_hash
from indexer.search import Added, Document, IndexAnswer, SearchIndex, open_index
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.stories.story import RawHTML, Story
from indexer.system.patience import Patience
from tests.stories.archived import NOON, a_story
from workers.stories.importer import MAX_BATCH_BYTES, Importer, ImporterOptions


def make(root: Path, **options: object) -> Importer:
    """An importer as a process that starts has it."""
    given = {"data": root, **options}
    return Importer(
        ImporterOptions(**given),  # type: ignore[arg-type]  # a table of options
        clock=lambda: NOON,
        patience=Patience(sleep=lambda _: None, attempts=3),
    )


def index(root: Path) -> SearchIndex:
    return open_index(f"sqlite:///{root / 'index.sqlite3'}", STORY_FIELDS)


def handle(worker: Importer, *stories: Story) -> list[tuple[str, str, int]]:
    """What becomes of stories: how it ended, its status, how many were sent on."""
    for story in stories:
        worker.add(story)
    return endings(worker.flush())


def endings(results: Sequence[Done[Story] | Disposition]) -> list[tuple[str, str, int]]:
    return [
        (type(each).__name__, each.status, len(each.outputs) if isinstance(each, Done) else 0)
        for each in results
    ]


def again(number: int) -> Story:
    """A story of the same URL, parsed at another time."""
    story = a_story(number)
    story.content_metadata.parsed_date = "2024-06-01T00:00:00.000000"
    return story


class Answering:
    """An index that answers as it is told."""

    def __init__(self, *answers: IndexAnswer) -> None:
        self.answers = list(answers)
        self.documents: list[Document] = []
        self.refreshed = self.closed = self.asked = self.failures = 0

    def add(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        self.asked += 1
        if not self.answers or self.asked <= self.failures:
            raise SearchError("unreachable")
        return self.answers

    def get(self, id: str) -> Document | None:
        return self.documents[0] if self.documents else None

    def refresh(self) -> None:
        self.refreshed += 1

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Answering:
    made = Answering()
    monkeypatch.setattr("workers.stories.importer.open_index", lambda *_: made)
    return made


def test_stories_are_indexed_and_sent_on_as_they_were(tmp_path: Path) -> None:
    worker = make(tmp_path)
    worker.add(a_story(1))
    worker.add(a_story(2))
    results = worker.flush()
    assert results == [Done([a_story(1)], "created"), Done([a_story(2)], "created")]
    worker.close()
    found = index(tmp_path)
    found.refresh()
    document = found.get(unique_url_hash("https://site.example/news/1"))
    assert document is not None
    assert document.get("article_title") == "عنوان 1"


def test_a_url_that_is_indexed_is_a_duplicate(tmp_path: Path) -> None:
    worker = make(tmp_path)
    created, duplicate = ("Done", "created", 1), ("Discard", "dups", 0)
    assert handle(worker, a_story(1), again(1)) == [created, duplicate]
    assert handle(worker, a_story(1), a_story(2)) == [duplicate, created]


@pytest.mark.parametrize(
    ("answer", "ending"),
    [
        (IndexAnswer(Added.CREATED), ("Done", "created", 1)),
        (IndexAnswer(Added.DUPLICATE), ("Discard", "dups", 0)),
        (IndexAnswer(Added.DUPLICATE, elsewhere=True), ("Discard", "ilm-dups", 0)),
        (IndexAnswer(Added.REFUSED, "mapper"), ("Quarantine", "reqerr", 0)),
        (IndexAnswer(Added.REFUSED, "busy", again=True), ("Retry", "retry", 0)),
    ],
)
def test_each_answer_has_its_ending(
    tmp_path: Path, answering: Answering, answer: IndexAnswer, ending: tuple[str, str, int]
) -> None:
    answering.answers = [answer]
    assert handle(make(tmp_path), a_story()) == [ending]


def test_the_reason_of_a_refusal_is_kept(tmp_path: Path, answering: Answering) -> None:
    answering.answers = [
        IndexAnswer(Added.REFUSED, "mapper"),
        IndexAnswer(Added.REFUSED, "busy", again=True),
    ]
    worker = make(tmp_path)
    worker.add(a_story(1))
    worker.add(a_story(2))
    refused, busy = worker.flush()
    assert isinstance(refused, Quarantine)
    assert isinstance(busy, Retry)
    assert (refused.why, busy.why) == ("mapper", "busy")


def test_an_index_that_fails_as_a_whole_ends_the_program(
    tmp_path: Path, answering: Answering
) -> None:
    worker = make(tmp_path)
    worker.add(a_story())
    with pytest.raises(SearchError):
        worker.flush()
    assert answering.asked == 3


def test_an_index_that_comes_back_is_asked_again(tmp_path: Path, answering: Answering) -> None:
    answering.failures = 2
    answering.answers = [IndexAnswer(Added.CREATED)]
    assert handle(make(tmp_path), a_story()) == [("Done", "created", 1)]


def test_a_story_that_was_indexed_before_the_index_failed_is_sent_on(
    tmp_path: Path, answering: Answering
) -> None:
    answering.failures = 1
    answering.answers = [IndexAnswer(Added.DUPLICATE, same=True), IndexAnswer(Added.DUPLICATE)]
    worker = make(tmp_path)
    assert handle(worker, a_story(1), a_story(2)) == [
        ("Done", "created", 1),
        ("Discard", "dups", 0),
    ]


def test_a_story_that_a_dead_process_had_indexed_is_sent_on(tmp_path: Path) -> None:
    handle(make(tmp_path), a_story(1), a_story(2))
    worker = make(tmp_path)
    worker.add_again(a_story(1))
    worker.add_again(again(2))
    worker.add_again(a_story(3))
    created = ("Done", "created", 1)
    assert endings(worker.flush()) == [created, ("Discard", "dups", 0), created]


def test_in_doubt_a_story_that_comes_again_is_sent_on(tmp_path: Path, answering: Answering) -> None:
    answering.answers = [IndexAnswer(Added.DUPLICATE)]
    story = a_story()
    story.content_metadata.parsed_date = None
    worker = make(tmp_path)
    worker.add_again(story)
    assert endings(worker.flush()) == [("Done", "created", 1)]


@pytest.mark.parametrize(("field", "status"), [("url", "no-url"), ("text_content", "no-text")])
def test_a_story_that_can_be_no_document_costs_only_itself(
    tmp_path: Path, field: str, status: str
) -> None:
    worker = make(tmp_path)
    story = a_story(1)
    setattr(story.content_metadata, field, None)
    story.http_metadata.final_url = None
    with pytest.raises(Quarantine, match=status):
        worker.add(story)
    assert handle(worker, a_story(2)) == [("Done", "created", 1)]


def test_a_url_that_has_no_normal_form_is_dropped(tmp_path: Path) -> None:
    story = a_story()
    story.content_metadata.url = "http://[half"
    with pytest.raises(Discard, match="bad-url"):
        make(tmp_path).add(story)


def test_without_import_stories_are_only_sent_on(tmp_path: Path) -> None:
    worker = make(tmp_path, import_=False)
    assert handle(worker, a_story(1), a_story(1)) == [("Done", "noimp", 1)] * 2
    worker.close()
    assert list(tmp_path.iterdir()) == []


def test_without_output_stories_are_only_indexed(tmp_path: Path) -> None:
    assert handle(make(tmp_path, output=False), a_story()) == [("Done", "created", 0)]


def test_an_empty_batch_is_normal(tmp_path: Path) -> None:
    assert list(make(tmp_path).flush()) == []


def test_a_batch_ends_when_its_stories_are_large(tmp_path: Path) -> None:
    worker = make(tmp_path)
    large = a_story(1)
    large.raw_html = RawHTML(html=b"x" * (MAX_BATCH_BYTES // 2))
    worker.add(large)
    assert not worker.full
    large = a_story(2)
    large.raw_html = RawHTML(html=b"x" * (MAX_BATCH_BYTES // 2))
    worker.add(large)
    assert worker.full
    worker.flush()
    assert not worker.full


def test_the_index_is_closed_at_the_end(tmp_path: Path, answering: Answering) -> None:
    make(tmp_path).close()
    assert answering.closed == 1


def test_options_are_those_that_operators_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", "http://user:secret@es:9200")
    monkeypatch.setenv("IMPORTER_BATCH_SIZE", "50")
    options = ImporterOptions.parse("importer", "", ["--no-import", "--no-output"])
    assert (options.import_, options.output, options.batch_size) == (False, False, 50)
    assert options.index == "http://user:secret@es:9200"
    assert "secret" not in repr(options)


def test_a_story_that_the_parser_dropped_is_never_indexed(tmp_path: Path) -> None:
    worker, story = make(tmp_path), a_story(1)
    story.unknown[DROPPED] = {"status": "homepage"}
    with pytest.raises(Discard, match="was-dropped"):
        worker.add(story)
