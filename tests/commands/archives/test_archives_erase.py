"""`story-indexer archives erase`: take-down by a list of URLs, on both indexes."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest
from elasticsearch import Elasticsearch
from typer.testing import CliRunner, Result

from indexer.commands.archives import erase_job
from indexer.commands.archives.archives import app
from indexer.errors import ConfigurationError, SearchError
from indexer.news.normalized_urls import unique_url_hash
from indexer.search import Erased, Erasure, SearchIndex, open_index
from indexer.search.language.schema import Schema
from indexer.search.sqlite.index import SQLiteIndex
from indexer.stories.indexing import erasing
from indexer.stories.indexing.documents import document
from indexer.stories.indexing.erasing import Pace
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.each_row import each_row
from tests.patience import PATIENCE
from tests.stories.archived import a_story

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
STORIES = 12
AT_ONCE = ("--min-delay", "0", "--max-delay", "0", "--batch-size", "5")


def url(number: int) -> str:
    return f"https://site.example/news/{number}"


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'index.sqlite3'}"


@pytest.fixture
def elastic_url(elasticsearch_url: str) -> Iterator[str]:
    """An alias of this test alone."""
    alias = f"test-{uuid4().hex[:12]}"
    yield f"{elasticsearch_url}/{alias}"
    with Elasticsearch(elasticsearch_url, request_timeout=PATIENCE) as client:
        for name in client.indices.get(index=f"{alias}-*"):
            client.indices.delete(index=name)
        client.indices.delete_index_template(name=f"{alias}_template")


@pytest.fixture(params=["sqlite", pytest.param("elastic", marks=pytest.mark.external)])
def index_url(request: pytest.FixtureRequest) -> str:
    """An index with STORIES stories in it."""
    found = str(request.getfixturevalue(f"{request.param}_url"))
    fill(found)
    return found


@pytest.fixture
def index(sqlite_url: str) -> str:
    fill(sqlite_url)
    return sqlite_url


def fill(index_url: str) -> None:
    with closing(open_index(index_url, STORY_FIELDS)) as opened:
        opened.add([document(a_story(number), NOON) for number in range(STORIES)])
        opened.refresh()


def left(index_url: str) -> list[int]:
    """The stories that are still there."""
    with closing(open_index(index_url, STORY_FIELDS)) as opened:
        opened.refresh()
        return [n for n in range(STORIES) if opened.get(unique_url_hash(url(n))) is not None]


@pytest.fixture
def urls(tmp_path: Path) -> Path:
    """A list of eight stories, of which one is not there."""
    path = tmp_path / "take-down.txt"
    path.write_text("# take down\n" + "".join(f"{url(n)}\n" for n in (*range(7), 99)))
    return path


def run(*arguments: str | Path, stdin: str = "") -> Result:
    given = [str(each) for each in arguments]
    return CliRunner().invoke(app, ["erase", *given], input=stdin)


def report_of(urls: Path) -> list[dict[str, str]]:
    path = urls.with_name(f"{urls.name}.report.jsonl")
    return [json.loads(line) for line in path.open()]


def test_stories_are_deleted_and_each_url_is_in_the_report(index_url: str, urls: Path) -> None:
    result = run(urls, "--index", index_url, "--yes", *AT_ONCE)
    assert result.stdout.splitlines() == [
        "8 URLs",
        f"7 deleted, 1 missing, 0 failed, 0 left; the report is {urls}.report.jsonl",
        erase_job.ARCHIVES,
    ]
    assert result.exit_code == 0
    assert left(index_url) == list(range(7, STORIES))
    answers = {entry["url"]: entry["result"] for entry in report_of(urls)}
    assert answers == {url(n): "deleted" for n in range(7)} | {url(99): "missing"}


def test_a_second_run_has_nothing_to_do_and_asks_nobody(index_url: str, urls: Path) -> None:
    run(urls, "--index", index_url, "--yes", *AT_ONCE)
    again = run(urls, "--index", index_url, "--json")
    assert json.loads(again.stdout) == {
        "urls": 8,
        "before": 8,
        "repeated": 0,
        "bad": 0,
        "deleted": 0,
        "missing": 0,
        "failed": 0,
        "left": 0,
        "index": index_url,
        "report": f"{urls}.report.jsonl",
    }
    assert again.exit_code == 0
    assert len(report_of(urls)) == 8


def test_a_dry_run_tells_how_many_are_there_and_deletes_none(index_url: str, urls: Path) -> None:
    result = run(urls, "--index", index_url, "--dry-run")
    assert result.stdout.splitlines() == [
        "8 URLs",
        f"7 of 8 are in {index_url}: nothing was deleted",
    ]
    assert result.exit_code == 0
    assert len(left(index_url)) == STORIES
    assert not Path(f"{urls}.report.jsonl").exists()
    assert json.loads(run(urls, "--index", index_url, "--dry-run", "--json").stdout)["there"] == 7


class Flaky(SQLiteIndex):
    """A real index that fails as it is told: for a document, or as a whole from a moment on."""

    stuck: str = ""
    works: int = 1000

    def delete(self, ids: Sequence[str]) -> list[Erased]:
        self.works -= 1
        if self.works < 0:
            raise SearchError("the server is on fire")
        free = iter(super().delete([id for id in ids if id != self.stuck]))
        stuck = Erased(Erasure.FAILED, "the shard is away")
        return [stuck if id == self.stuck else next(free) for id in ids]


class Flakiness:
    """How the index that the command opens will fail; `pauses` are the seconds it waited."""

    def __init__(self) -> None:
        self.stuck = ""
        self.works = 1000
        self.pauses: list[float] = []

    def open(self, index_url: str, schema: Schema) -> SearchIndex:
        found = Flaky.open(index_url, schema)
        found.stuck, found.works = self.stuck, self.works
        return found


@pytest.fixture
def flakiness(monkeypatch: pytest.MonkeyPatch) -> Flakiness:
    found = Flakiness()
    monkeypatch.setattr(erase_job, "open_index", found.open)
    monkeypatch.setattr(erasing, "Pace", partial(Pace, sleep=found.pauses.append))
    return found


def test_what_failed_is_told_and_tried_again_by_the_next_run(
    index: str, urls: Path, flakiness: Flakiness
) -> None:
    flakiness.stuck = unique_url_hash(url(3))
    result = run(urls, "--index", index, "--yes", *AT_ONCE)
    assert "6 deleted, 1 missing, 1 failed, 0 left" in result.stdout
    assert result.exit_code == 1
    [failed] = [entry for entry in report_of(urls) if entry["result"] == "failed"]
    assert (failed["url"], failed["why"]) == (url(3), "the shard is away")
    flakiness.stuck = ""
    again = run(urls, "--index", index, "--yes", *AT_ONCE)
    assert "1 deleted, 0 missing, 0 failed, 0 left" in again.stdout
    assert again.exit_code == 0
    assert left(index) == list(range(7, STORIES))


def test_an_index_that_fails_is_waited_for_then_it_ends_and_the_next_run_goes_on(
    index: str, urls: Path, flakiness: Flakiness
) -> None:
    flakiness.works = 1
    result = run(urls, "--index", index, "--yes", "--json", *AT_ONCE)
    assert isinstance(result.exception, SearchError)
    assert flakiness.pauses == [0, 1, 2, 4, 8, 16, 32, 60]
    summary = json.loads(result.stdout)
    assert (summary["deleted"], summary["missing"], summary["left"]) == (5, 0, 3)
    assert [entry["result"] for entry in report_of(urls)] == ["deleted"] * 5
    flakiness.works = 1000
    assert run(urls, "--index", index, "--yes", *AT_ONCE).exit_code == 0
    assert left(index) == list(range(7, STORIES))


def test_batches_are_at_random_times_within_the_pace(
    index: str, urls: Path, flakiness: Flakiness
) -> None:
    run(urls, "--index", index, "--yes", "--batch-size", "2")
    assert len(flakiness.pauses) == 3
    assert all(0.5 <= pause <= 3 for pause in flakiness.pauses)


def test_what_is_no_url_is_told_and_the_rest_deleted(index: str, tmp_path: Path) -> None:
    urls = tmp_path / "hostile.txt"
    bad = [b"nonsense", b"https://a.example/\0", b"https://\xff.example/", b"x" * 10_000_000]
    urls.write_bytes(b"\n".join([url(1).encode(), *bad, url(2).encode()]))
    result = run(urls, "--index", index, "--yes", *AT_ONCE)
    assert result.stdout.splitlines()[0] == "6 URLs (4 bad-url)"
    assert len([line for line in result.stderr.splitlines() if line.startswith("bad-url: ")]) == 4
    assert result.exit_code == 1
    entries = report_of(urls)
    assert [entry["result"] for entry in entries] == ["deleted", *["bad-url"] * 4, "deleted"]
    assert entries[4]["why"] == "line 5 is longer than 8192 characters"
    assert set(left(index)) == set(range(STORIES)) - {1, 2}
    assert run(urls, "--index", index, "--dry-run").exit_code == 1


def test_only_the_first_lines_that_are_no_urls_are_shown(index: str, tmp_path: Path) -> None:
    urls = tmp_path / "urls.txt"
    urls.write_text("nonsense\n" * 25)
    result = run(urls, "--index", index, "--yes")
    assert len(result.stderr.splitlines()) == 21
    assert result.stderr.splitlines()[-1] == "bad-url: and 5 more"
    assert len(report_of(urls)) == 25


@pytest.mark.parametrize(("answer", "deleted"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_a_person_is_asked(
    index: str, urls: Path, monkeypatch: pytest.MonkeyPatch, answer: str, *, deleted: bool
) -> None:
    monkeypatch.setattr("indexer.commands.console.terminal._has_terminal", lambda: True)
    result = run(urls, "--index", index, *AT_ONCE, stdin=answer)
    assert f"Delete the stories of 8 URLs from {index}? [y/N]" in result.stderr
    assert (len(left(index)) == STORIES - 7) is deleted
    assert result.exit_code == (0 if deleted else 1)


def test_nothing_is_deleted_where_nobody_can_be_asked(index: str, urls: Path) -> None:
    result = run(urls, "--index", index)
    assert isinstance(result.exception, ConfigurationError)
    assert len(left(index)) == STORIES


def test_the_same_list_is_erased_from_another_index_too(index: str, urls: Path) -> None:
    other = index.replace("index.", "other.")
    fill(other)
    for each in (index, other):
        assert run(urls, "--index", each, "--yes", *AT_ONCE).exit_code == 0
        assert left(each) == list(range(7, STORIES))


@each_row("variable", ["INDEX_URL", "ELASTICSEARCH_HOSTS"])
def test_the_index_may_be_in_the_environment(
    variable: str, index: str, urls: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv(variable, index)
        assert run(urls, "--dry-run", "--json").output.count(index) == 1


def test_without_one_it_is_the_index_of_the_data_directory(urls: Path, tmp_path: Path) -> None:
    why = str(run(urls, "--yes", "--data", str(tmp_path / "none")).exception)
    assert why.startswith(f"no search index at {tmp_path / 'none' / 'index.sqlite3'}")


def test_an_index_that_is_not_there_is_told_at_once(
    sqlite_url: str, urls: Path, flakiness: Flakiness
) -> None:
    result = run(urls, "--index", sqlite_url, "--yes")
    assert isinstance(result.exception, SearchError)
    assert flakiness.pauses == []
    assert not Path(f"{urls}.report.jsonl").exists()


@each_row(
    ("given", "told"),
    [
        ("http://me:secret@host:9200/mc_search", "http://host:9200/mc_search"),
        ("https://host/mc_search?api_key=secret", "https://host/mc_search"),
        ("http://me:secret@one:9200,two:9200/x", "http://one:9200,two:9200/x"),
        ("http://me:secret@one:9200,http://me:secret@two:9200/x", None),
        ("sqlite:////data/index.sqlite3", "sqlite:////data/index.sqlite3"),
        ("sqlite:///index.sqlite3", f"sqlite:///{Path.cwd() / 'index.sqlite3'}"),
    ],
)
def test_no_credentials_are_told(given: str, told: str | None) -> None:
    place = erase_job._place(given)
    assert "secret" not in place
    assert told in (None, place)


@pytest.mark.parametrize(
    "options",
    [
        ["--min-delay", "2", "--max-delay", "1"],
        ["--batch-size", "0"],
        ["--report", "take-down.txt"],
    ],
)
def test_options_that_make_no_sense_are_status_2(
    index: str, urls: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    monkeypatch.chdir(urls.parent)
    assert run(urls, "--index", index, "--yes", *options).exit_code == 2
    assert len(left(index)) == STORIES


def test_a_list_that_is_not_there_is_status_2(index: str, tmp_path: Path) -> None:
    assert run(tmp_path / "nothing.txt", "--index", index, "--yes").exit_code == 2
