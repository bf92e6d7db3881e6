"""Importer and archiver, one after the other, on real queues."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from indexer.broker import open_broker
from indexer.messages.message import Send
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.topology import input_queue
from indexer.stories.story import Story
from tests.stories.archived import a_story
from tests.workers.stories.test_archiver import archived, stored
from workers.stories import archiver, importer

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

    def run(self, main: Callable[[Sequence[str]], int], *arguments: str) -> int:
        """Run a program until its queue is empty. Its exit status."""
        return main([f"--data={self.root}", "--until-empty", *arguments])


@pytest.fixture
def queues(tmp_path: Path) -> Queues:
    return Queues(tmp_path)


def test_stories_come_into_the_index_and_into_an_archive(
    queues: Queues, capsys: pytest.CaptureFixture[str]
) -> None:
    stories = [a_story(number) for number in range(3)]
    queues.put("importer", [*stories, stories[0], Story()])
    assert queues.run(importer.main) == 0
    assert (queues.ready("archiver-in"), queues.ready("importer-quar")) == (3, 1)
    assert queues.run(archiver.main, "--prefix=mctest") == 0
    assert archived(queues.root, "archive") == stories
    (path,) = stored(queues.root, "archive")
    assert path.name.startswith("mctest-")
    assert f"url='{path.as_uri()}'" in capsys.readouterr().err
    assert queues.ready("archiver-in") == 0


def test_what_could_not_be_uploaded_is_not_acknowledged(
    queues: Queues, capsys: pytest.CaptureFixture[str]
) -> None:
    queues.put("archiver", [a_story(1), a_story(2)])
    (queues.root / "archive").write_text("no directory")
    assert queues.run(archiver.main, "--upload-seconds=0") == 1
    assert "nothing unsettled is lost" in capsys.readouterr().err
    assert queues.ready("archiver-in") == 2

    (queues.root / "archive").unlink()
    assert queues.run(archiver.main) == 0
    assert archived(queues.root, "archive") == [a_story(1), a_story(2)]
    assert queues.ready("archiver-in") == 0
