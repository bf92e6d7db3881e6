"""The programs of stories in test mode: without any queue, from file to file (stories.md 3.9)."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from indexer.messages.message import Send
from indexer.news.normalized_urls import unique_url_hash
from indexer.search import open_index
from indexer.stories.archiving.story_archive_reader import ArchivedStory, read_stories
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.stories.story import HTTPMetadata, RawHTML, RSSEntry, Story
from indexer.stories.tools.story_files import story_files
from newsroom.server import Newsroom
from tests.patience import PATIENCE
from tests.stories.pages import STORIES, story_page

HERALD = "http://harbour-herald.example"
BELLS = f"{HERALD}/news/ferry-bells"
BUSY = f"{HERALD}/2025/03/orchard-of-forgotten-pears"
THROTTLED = "http://vestnik-ozera.example/news/2026/06/podvesnoy-most-otkryt.shtml"
GONE = f"{HERALD}/2024/08/regatta-results-and-protests"
DOWN = "http://nobody-listens.example/2024/05/01/a-story.html"


class Files:
    """A folder of files, in which programs run that know of no broker."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(
        self,
        program: str,
        prefix: str,
        *arguments: str,
        status: int = 0,
        variables: Mapping[str, str] | None = None,
    ) -> str:
        """Run a program on PREFIX-in, if there is one, to its end; its log."""
        ended = subprocess.run(
            [sys.executable, "-m", f"workers.stories.{program}", *arguments],
            cwd=self.folder,
            env={"TEST_FILE_PREFIX": prefix, **(variables or {})},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert "Traceback" not in ended.stderr, ended.stderr
        assert ended.returncode == status, ended.stderr
        return ended.stderr

    def hand_on(self, before: str, after: str) -> None:
        """Make the output of one program the input of the next."""
        (self.folder / f"{before}-out.warc.gz").rename(self.folder / f"{after}-in.warc.gz")

    def make(self, prefix: str, *stories: Story) -> None:
        """Make an input of stories."""
        with story_files(str(self.folder / "made"), "made", reads=False) as files:
            files.publish(Send("made-out", story.key, story.dump()) for story in stories)
        self.hand_on("made", prefix)

    def out(self, prefix: str) -> dict[str, ArchivedStory]:
        """What is in an output, by link."""
        return self.read(self.folder / f"{prefix}-out.warc.gz")

    def read(self, path: Path) -> dict[str, ArchivedStory]:
        """The stories of an archive, by link."""
        with path.open("rb") as file:
            found = list(read_stories(file))
        stories = [item for item in found if isinstance(item, ArchivedStory)]
        assert len(stories) == len(found)
        return {item.story.rss_entry.link or "": item for item in stories}


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def fetched(name: str) -> Story:
    """A page of the tests, as the fetcher passes it on."""
    known = STORIES[name]
    return Story(
        rss_entry=RSSEntry(link=known["url"]),
        http_metadata=HTTPMetadata(
            response_code=200,
            final_url=known["url"],
            fetch_timestamp=1714500000.0,
            encoding=known["http_charset"],
        ),
        raw_html=RawHTML(html=story_page(name)),
    )


def place(item: ArchivedStory) -> tuple[str, str]:
    """The exchange and key that a story was sent with."""
    data = item.metadata["queue_data"]
    return data["exchange"], data["routing_key"]


def test_links_become_fetched_stories_with_retries_that_nobody_waits_for(files: Files) -> None:
    links = [BELLS, BUSY, THROTTLED, GONE, DOWN]
    (files.folder / "urls.csv").write_text("\n".join(["url", *links]), encoding="utf-8")
    files.run("csv_queuer", "csv", "urls.csv")
    assert {link: place(item) for link, item in files.out("csv").items()} == dict.fromkeys(
        links, ("csv-queuer-out", "default")
    )

    files.hand_on("csv", "fetch")
    with Newsroom() as room:
        resolve = [*room.addresses, "nobody-listens.example=127.0.0.1:1"]
        settings = {
            "FETCHER_RESOLVE": " ".join(resolve),
            "FETCHER_ALLOW_ADDRESS": "127.0.0.0/8",
            "FETCHER_MIN_INTERVAL_SECONDS": "0.05",
            "MAX_RETRIES": "2",
        }
        log = files.run("tqfetcher", "fetch", variables=settings)

    found = files.out("fetch")
    assert {link: place(item) for link, item in found.items()} == dict.fromkeys(
        [BELLS, BUSY, THROTTLED], ("fetcher-out", "default")
    )
    assert all(item.story.raw_html.html for item in found.values())
    assert f"http-5xx: {BUSY}" in log
    assert f"http-429: {THROTTLED}" in log
    # Once, and two retries.
    assert sum(f": {DOWN}" in line for line in log.splitlines()) == 3


def test_pages_are_parsed_indexed_and_archived_from_file_to_file(files: Files) -> None:
    pages = ["libraries-en.html", "presupuesto-es.html", "keizai-ja.html"]
    lost = Story(rss_entry=RSSEntry(link="lost"), raw_html=RawHTML(html=b"<p>no final URL</p>"))
    files.make("parse", *map(fetched, pages), lost)
    index = f"sqlite:///{files.folder / 'index.sqlite3'}"
    urls = {STORIES[name]["url"] for name in pages}

    files.run("parser", "parse")
    parsed = files.out("parse")
    assert {link: place(item) for link, item in parsed.items()} == {
        **dict.fromkeys(urls, ("parser-out", "default")),
        "lost": ("", "parser-quar"),
    }
    headers = parsed["lost"].metadata["rabbitmq_headers"]
    assert headers["x-mc-who"] == "parser"
    assert headers["x-mc-what"] == "http_metadata has no final_url"

    files.hand_on("parse", "import")
    log = files.run("importer", "import", "--index-url", index)
    assert "left out: set aside by another step" in log
    assert files.out("import").keys() == urls

    files.hand_on("import", "archive")
    files.run("archiver", "archive", "--archive-url", "archives")
    assert files.out("archive") == {}
    [archive] = (files.folder / "archives").rglob("*.warc.gz")
    archived = files.read(archive)
    for name in pages:
        known = STORIES[name]
        content = archived[known["url"]].story.content_metadata
        assert content.article_title == known["title"]
    opened = open_index(index, STORY_FIELDS)
    opened.refresh()
    try:
        assert all(opened.get(unique_url_hash(STORIES[name]["url"])) for name in pages)
    finally:
        opened.close()
    assert list(files.folder.rglob("queues.sqlite3")) == []


def test_a_story_that_is_indexed_twice_is_a_duplicate_in_files_too(files: Files) -> None:
    files.make("parse", fetched("libraries-en.html"))
    files.run("parser", "parse")
    files.hand_on("parse", "import")
    files.run("importer", "import")
    assert len(files.out("import")) == 1
    assert "dups" in files.run("importer", "import")
    assert files.out("import") == {}


def test_a_damaged_input_ends_with_an_error_and_the_rest_is_done(files: Files) -> None:
    files.make("parse", fetched("libraries-en.html"), fetched("keizai-ja.html"))
    path = files.folder / "parse-in.warc.gz"
    path.write_bytes(path.read_bytes()[:-20])
    log = files.run("parser", "parse", status=1)
    assert "records could not be read" in log
    assert files.out("parse").keys() == {STORIES["libraries-en.html"]["url"]}


def test_without_an_input_a_worker_says_which_file_is_missing(files: Files) -> None:
    assert "none-in.warc.gz: No such file" in files.run("parser", "none", status=1)
    assert not (files.folder / "none-out.warc.gz").exists()


def test_a_dry_run_writes_no_file(files: Files) -> None:
    (files.folder / "urls.csv").write_text(f"url\n{BELLS}\n", encoding="utf-8")
    files.run("csv_queuer", "csv", "urls.csv", "--dry-run")
    assert list(files.folder.glob("csv-*")) == []
