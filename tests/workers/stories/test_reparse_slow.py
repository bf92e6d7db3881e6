"""Archives, parsed again and compared with the index: the programs of the reparse flavor, whole."""

import subprocess
import sys
from pathlib import Path

import pytest

from indexer.broker import open_broker
from indexer.messages.worker import Done
from indexer.search import open_index
from indexer.stories.indexing.differences import summarize
from indexer.stories.indexing.documents import document
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.stories.story import HTTPMetadata, RawHTML, RSSEntry, Story
from pipeline import flavor
from tests.stories.archived import NOON, archive
from tests.stories.pages import article
from workers.stories.parser import Parser, ParserOptions

COUNT = 4


def page(number: int) -> Story:
    """A story as it was fetched."""
    url = f"https://site.example/2024/05/01/a-story-{number}.html"
    text = f"<p>Number {number}. {article()}</p>"
    html = f"<html lang=en><title>Title {number}</title><article>{text}</article></html>"
    return Story(
        rss_entry=RSSEntry(link=url),
        http_metadata=HTTPMetadata(response_code=200, final_url=url, fetch_timestamp=1714500000.0),
        raw_html=RawHTML(html=html.encode()),
    )


def parsed_stories() -> list[Story]:
    """Stories as they were archived."""
    parser = Parser(ParserOptions())
    found: list[Story] = []
    for number in range(COUNT):
        done = parser.process(page(number))
        assert isinstance(done, Done)
        found += done.outputs
    parser.close()
    return found


def run(root: Path, program: str, name: str, *arguments: str) -> str:
    """Run a program, by the name of its step, until its queue is empty; its log."""
    command = [sys.executable, "-m", f"workers.stories.{program}", "--data", str(root)]
    command += ["--process-name", name]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.fixture(scope="module")
def stories() -> list[Story]:
    return parsed_stories()


@pytest.fixture
def root(tmp_path: Path, stories: list[Story]) -> Path:
    """A data directory: an archive, and an index in which a title and a language are wrong, and
    that a story was erased from."""
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    broker.declare(flavor("reparse").compile())
    broker.close()
    (tmp_path / "a.warc.gz").write_bytes(archive(stories))
    index = open_index(f"sqlite:///{tmp_path / 'index.sqlite3'}", STORY_FIELDS)
    first, second, *others = (document(story, NOON) for story in stories)
    index.add([first.replace(article_title="Mojibake"), second.replace(language=None), *others])
    index.delete([others[-1].id])
    index.close()
    return tmp_path


def reparse(root: Path, *importer: str) -> list[str]:
    """Run the three programs; the lines that the importer logs of stories."""
    given = ["--min-disk-free", "1", "--force", str(root / "a.warc.gz")]
    run(root, "arch_queuer", "reparse-queuer", *given)
    run(root, "parser", "parser", "--until-empty", "--keep-parsed-date")
    log = run(root, "importer", "importer", "--until-empty", "--update", *importer)
    lines = [line.rpartition("| importer | ")[2] for line in log.splitlines()]
    return sorted(line.partition(" [")[0] for line in lines if "https://site.example" in line)


def status(*statuses: str) -> list[str]:
    """The lines of the stories, in order of their status."""
    return sorted(
        f"{status}: https://site.example/2024/05/01/a-story-{number}.html"
        for number, status in enumerate(statuses)
    )


def test_what_would_change_is_told_then_changed_and_then_there_is_nothing_to_change(
    root: Path, stories: list[Story]
) -> None:
    index = open_index(f"sqlite:///{root / 'index.sqlite3'}", STORY_FIELDS)
    ids = [document(story, NOON).id for story in stories]
    before = index.find(ids)
    told = reparse(root, "--dry-run")
    assert told == status("would-update", "would-update", "unchanged", "absent")
    assert index.find(ids) == before
    report = summarize([root / "differences"])
    assert {each.field: each.stories for each in report.fields} == {
        "article_title": 1,
        "language": 1,
    }
    told = reparse(root)
    assert told == status("updated", "updated", "unchanged", "absent")
    assert index.find(ids) == {
        each.id: each for each in (document(story, NOON) for story in stories[:3])
    }
    assert reparse(root) == status("unchanged", "unchanged", "unchanged", "absent")
    index.close()
