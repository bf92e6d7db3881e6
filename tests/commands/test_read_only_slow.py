"""Commands that only read, on the data of another user."""

from pathlib import Path

import pytest

from indexer.commands.tree import app
from indexer.search import open_index
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.commands.entering import Command
from tests.feeds.new_database import new_feeds
from tests.feeds.rows import add_feeds
from tests.read_only import read_only
from tests.search.corpus import fill, story
from tests.stories.archived import a_story, archive

COMMANDS = {
    "search some": "https://site.example/one",
    "feeds list": "https://h1.example/feed/1",
    "feeds show 1": "https://h1.example/feed/1",
    "feeds export": "https://h1.example/feed/1",
    "warc list archive": "https://site.example/news/1",
    "warc verify archive": "sound",
    "archives list archive": "https://site.example/news/1",
    "archives verify archive": "1 sound",
    "archives find https://site.example/news/1 --in archive": "mc-20240501120000-1-host.warc.gz",
}
"""What each prints."""


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory with an index, feeds and an archive; the current directory."""
    index = open_index(f"sqlite:///{tmp_path}/index.sqlite3", STORY_FIELDS)
    fill(index, story())
    index.close()
    feeds = new_feeds(f"sqlite:///{tmp_path}/feeds.sqlite3")
    add_feeds(feeds, [{}])
    feeds.close()
    path = tmp_path / "archive/2024/05/01/mc-20240501120000-1-host.warc.gz"
    path.parent.mkdir(parents=True)
    path.write_bytes(archive([a_story(1)]))
    monkeypatch.chdir(tmp_path)
    for name in ("INDEXER_DATA", "FEEDS_DATABASE_URL", "DATABASE_URL", "INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "250")
    return tmp_path


def test_they_need_no_permission_to_write(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(data.rglob("*"))
    for line, expected in COMMANDS.items():
        words = line.split()
        if words[0] in ("search", "feeds"):
            words += ["--data", "."]
        with read_only(data):
            printed = Command(app, "story-indexer", monkeypatch, capsys).run(*words)
        assert expected in printed.out, line
    assert sorted(data.rglob("*")) == before
