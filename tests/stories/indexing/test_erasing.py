"""Take-down: an answer for each URL, and nothing is marked done that failed."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from indexer.errors import SearchError
from indexer.files.journal import entries, journal
from indexer.news.normalized_urls import unique_url_hash
from indexer.search import Erased, Erasure
from indexer.search.sqlite.index import SQLiteIndex
from indexer.stories.indexing.documents import document
from indexer.stories.indexing.erasing import (
    ATTEMPTS,
    Count,
    Eraser,
    Pace,
    present,
    settled,
    unsettled,
)
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.stories.queuers.url_lists import listed
from tests.stories.archived import a_story

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
PLACE = "http://host:9200/mc_search"


def url(number: int) -> str:
    return f"https://site.example/news/{number}"


class Index(SQLiteIndex):
    """A real index, of which a document can't be deleted, or that fails as a whole for a while."""

    stuck: str = ""
    failures: int = 0
    asked: int = 0

    def delete(self, ids: Sequence[str]) -> list[Erased]:
        self.asked += 1
        if self.failures:
            self.failures -= 1
            raise SearchError("the server is on fire")
        free = iter(super().delete([id for id in ids if id != self.stuck]))
        stuck = Erased(Erasure.FAILED, "the shard is away")
        return [stuck if id == self.stuck else next(free) for id in ids]


@pytest.fixture
def index(tmp_path: Path) -> Iterable[Index]:
    with closing(Index.open(f"sqlite:///{tmp_path / 'index.sqlite3'}", STORY_FIELDS)) as index:
        index.add([document(a_story(number), NOON) for number in range(10)])
        yield index


class Run:
    """Runs of the same list of URLs; `pauses` are the seconds it has waited."""

    def __init__(self, index: Index, report: Path) -> None:
        self.report = report
        self.pauses: list[float] = []
        self.count = Count()
        self._index = index

    def __call__(self, *urls: str, batch_size: int = 3) -> dict[str, int]:
        pace = Pace(batch_size, 1.5, 2.5, self.pauses.append)
        before, written = settled(self.report, PLACE), len(list(entries(self.report)))
        self.count = Count()
        with journal(self.report) as report:
            eraser = Eraser(self._index, PLACE, report, pace)
            for done in eraser.erase(unsettled(map(listed, urls), before, self.count)):
                assert done == len(list(entries(self.report))) - written
        return {str(result): number for result, number in eraser.results.items()}


@pytest.fixture
def run(index: Index, tmp_path: Path) -> Run:
    return Run(index, tmp_path / "report.jsonl")


def results(report: Path) -> dict[str, str]:
    return {entry["url"]: entry["result"] for entry in entries(report)}


def test_each_url_is_answered_in_the_report(run: Run, index: Index) -> None:
    assert run(url(1), url(99), "nonsense", batch_size=10) == {
        "deleted": 1,
        "missing": 1,
        "bad-url": 1,
    }
    deleted, missing, bad = entries(run.report)
    assert deleted.pop("when").endswith("Z")
    assert deleted == {
        "url": url(1),
        "id": unique_url_hash(url(1)),
        "result": "deleted",
        "why": None,
        "index": PLACE,
    }
    assert missing["result"] == "missing"
    assert (bad["result"], bad["id"]) == ("bad-url", None)
    assert "http://" in bad["why"]
    assert index.get(unique_url_hash(url(1))) is None
    assert index.get(unique_url_hash(url(2))) is not None


def test_a_url_stands_for_the_document_that_has_its_id(run: Run, index: Index) -> None:
    assert run("HTTPS://www.site.example/NEWS/1?ref=x#top") == {"deleted": 1}
    assert index.get(unique_url_hash(url(1))) is None


def test_batches_are_of_the_size_and_at_the_pace_that_was_asked_for(run: Run, index: Index) -> None:
    run(*map(url, range(8)), batch_size=3)
    assert index.asked == 3
    assert len(run.pauses) == 2
    assert all(1.5 <= pause <= 2.5 for pause in run.pauses)


def test_what_failed_is_not_done_and_is_tried_again(run: Run, index: Index) -> None:
    index.stuck = unique_url_hash(url(1))
    assert run(url(0), url(1), url(99)) == {"deleted": 1, "failed": 1, "missing": 1}
    [failed] = [entry for entry in entries(run.report) if entry["result"] == "failed"]
    assert (failed["url"], failed["why"]) == (url(1), "the shard is away")
    index.stuck = ""
    assert run(url(0), url(1), url(99)) == {"deleted": 1}
    assert run.count == Count(urls=3, before=2)
    assert results(run.report)[url(1)] == "deleted"


def test_an_index_that_fails_for_a_while_is_waited_for(run: Run, index: Index) -> None:
    index.failures = ATTEMPTS - 1
    assert run(url(0), url(1)) == {"deleted": 2}
    assert run.pauses == [1, 2, 4, 8, 16, 32, 60]


def test_an_index_that_keeps_failing_ends_it_and_the_next_run_goes_on(
    run: Run, index: Index
) -> None:
    urls = [url(number) for number in range(6)]
    real = index.delete

    def fails_after_the_first(ids: Sequence[str]) -> list[Erased]:
        if index.asked:
            index.failures = 100
        return real(ids)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "delete", fails_after_the_first)
        with pytest.raises(SearchError, match="on fire"):
            run(*urls)
    assert results(run.report) == dict.fromkeys(urls[:3], "deleted")
    index.failures = 0
    assert run(*urls) == {"deleted": 3}
    assert results(run.report) == dict.fromkeys(urls, "deleted")


def test_a_report_that_was_cut_off_is_gone_on_with(run: Run) -> None:
    run(url(0), url(1))
    torn = run.report.read_bytes()[:-30]
    run.report.write_bytes(torn)
    assert run(url(0), url(1)) == {"missing": 1}
    assert results(run.report) == {url(0): "deleted", url(1): "missing"}


def test_a_url_is_asked_for_once(run: Run) -> None:
    assert run(url(0), url(0), url(1), url(0), batch_size=1) == {"deleted": 2}
    assert run.count == Count(urls=4, repeated=2)
    assert run.count.wanted == 2


def test_two_urls_of_one_document_have_an_answer_each(run: Run) -> None:
    other = f"{url(0)}#comments"
    run(url(0), other)
    assert results(run.report) == {url(0): "deleted", other: "missing"}


def test_what_was_deleted_elsewhere_is_deleted_here_all_the_same(tmp_path: Path) -> None:
    report = tmp_path / "report.jsonl"
    with journal(report) as to:
        to.append([{"url": url(0), "result": "deleted", "index": "http://other:9200/mc_search"}])
        to.append([{"url": url(1), "result": "deleted", "index": PLACE}])
        to.append([{"url": url(2), "result": "missing", "index": PLACE}])
        to.append([{"url": url(3), "result": "failed", "index": PLACE}])
        to.append([{"url": None, "result": ["deleted"], "index": PLACE}, {}])
    assert settled(report, PLACE) == {url(1), url(2)}


def test_present_counts_the_documents_without_deleting_any(index: Index) -> None:
    urls = [listed(each) for each in (url(0), url(0), f"{url(1)}#x", url(99), "nonsense")]
    assert present(index, urls, 2) == 2
    assert index.asked == 0
