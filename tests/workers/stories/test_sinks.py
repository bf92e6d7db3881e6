"""Importer and archiver as programs, one after the other, on real queues."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from indexer.broker import open_broker
from indexer.messages.message import Send
from indexer.messages.topology import Pipeline, Step, input_queue
from indexer.stories.story import Story
from tests.stories.archived import a_story
from tests.workers.stories.test_archiver import archived, stored

STEPS = [Step("parser", to=["importer"]), Step("importer", to=["archiver"]), Step("archiver")]
TOPOLOGY = Pipeline("sinks", STEPS).compile()


class Queues:
    """A data directory with the queues of both programs."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.url = f"sqlite:///{root / 'queues.sqlite3'}"
        self.broker = open_broker(self.url)
        self.broker.declare(TOPOLOGY)

    def put(self, step: str, stories: Sequence[Story]) -> None:
        """Queue stories for a step."""
        self.broker.publish([Send("", input_queue(step), each.dump()) for each in stories])

    def ready(self, queue: str) -> int:
        """How many messages wait."""
        depth = self.broker.depth(queue)
        assert depth is not None
        return depth.ready

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a program until its queue is empty."""
        command = [sys.executable, "-m", f"workers.stories.{program}", "--data", str(self.root)]
        return subprocess.run(
            [*command, "--until-empty", *arguments], capture_output=True, text=True, check=False
        )


@pytest.fixture
def queues(tmp_path: Path) -> Queues:
    return Queues(tmp_path)


def test_stories_come_into_the_index_and_into_an_archive(queues: Queues) -> None:
    stories = [a_story(number) for number in range(3)]
    queues.put("importer", [*stories, stories[0], Story()])
    importer = queues.run("importer")
    assert importer.returncode == 0, importer.stderr
    assert (queues.ready("archiver-in"), queues.ready("importer-quar")) == (3, 1)
    archiver = queues.run("archiver", "--prefix", "mctest")
    assert archiver.returncode == 0, archiver.stderr
    assert archived(queues.root, "archive") == stories
    (path,) = stored(queues.root, "archive")
    assert path.name.startswith("mctest-")
    assert f"url='{path.as_uri()}'" in archiver.stderr
    assert queues.ready("archiver-in") == 0


def test_what_could_not_be_uploaded_is_not_acknowledged(queues: Queues) -> None:
    queues.put("archiver", [a_story(1), a_story(2)])
    (queues.root / "archive").write_text("no directory")
    failed = queues.run("archiver", "--upload-seconds", "0")
    assert failed.returncode == 1
    assert "nothing unsettled is lost" in failed.stderr
    assert queues.ready("archiver-in") == 2

    (queues.root / "archive").unlink()
    assert queues.run("archiver").returncode == 0
    assert archived(queues.root, "archive") == [a_story(1), a_story(2)]
    assert queues.ready("archiver-in") == 0
