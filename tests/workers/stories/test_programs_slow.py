"""Programs of stories as processes of their own."""

import subprocess
import sys
from pathlib import Path

from indexer.broker import open_broker
from indexer.messages.message import Send
from indexer.messages.topology import input_queue
from pipeline import flavor
from tests.paths import DATA
from tests.stories.archived import a_story
from tests.workers.stories.test_archiver import archived


def run(program: str, data: Path, *arguments: str) -> str:
    """Run a program to its end; its log."""
    command = [sys.executable, "-m", f"workers.stories.{program}", f"--data={data}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def ready(data: Path, queue: str) -> int:
    """How many messages wait in a queue."""
    broker = open_broker(f"sqlite:///{data / 'queues.sqlite3'}")
    depth = broker.depth(queue)
    broker.close()
    assert depth is not None
    return depth.ready


def declare(data: Path, name: str, *messages: Send) -> None:
    """Make the queues of a flavor, and publish messages."""
    broker = open_broker(f"sqlite:///{data / 'queues.sqlite3'}")
    broker.declare(flavor(name).compile())
    broker.publish(messages)
    broker.close()


def test_a_queuer_queues_the_stories_of_a_feed(tmp_path: Path) -> None:
    declare(tmp_path, "queue-fetcher")
    run("rss_queuer", tmp_path, "--min-disk-free=0", str(DATA / "feeds" / "atom.xml"))
    assert ready(tmp_path, "fetcher-in") > 0


def test_historical_stories_get_their_pages(tmp_path: Path) -> None:
    declare(tmp_path, "historical")
    folder = tmp_path / "downloads"
    folder.mkdir()
    (folder / "12").write_bytes(b"<p>page</p>")
    (tmp_path / "ids.csv").write_text("downloads_id\n12\n")
    table = str(tmp_path / "ids.csv")
    run("hist_queuer", tmp_path, "--min-disk-free=0", "--allow-no-url", table)
    run("hist_fetcher", tmp_path, "--until-empty", f"--downloads-url={folder}")
    assert ready(tmp_path, "parser-in") == 1


def test_stories_come_into_the_index_and_into_an_archive(tmp_path: Path) -> None:
    stories = [a_story(number) for number in range(3)]
    declare(tmp_path, "csv", *(Send("", input_queue("importer"), each.dump()) for each in stories))
    run("importer", tmp_path, "--until-empty")
    assert "archive" in run("archiver", tmp_path, "--until-empty")
    assert archived(tmp_path, "archive") == stories
