"""The archiver, killed at any moment: nothing is lost, nothing is archived twice."""

from pathlib import Path

import pytest

from indexer.stories.story import Story
from tests.killed import killed_at
from tests.stories.archived import a_story
from tests.workers.stories.test_archiver import add, archived, make, stored

YEAR = 365 * 86_400.0


def of_different_years(*numbers: int) -> list[Story]:
    """Stories of which each was fetched in another year."""
    stories = [a_story(number) for number in numbers]
    for number, story in zip(numbers, stories, strict=True):
        story.http_metadata.fetch_timestamp = 1_000_000_000.0 + YEAR * (number % 3)
    return stories


STORIES = of_different_years(0, 1, 2)
LATER = of_different_years(3, 4)


@pytest.mark.parametrize("prefix", ["mc", "mchist{year}"])
def test_killed_at_any_moment_it_loses_nothing_and_archives_nothing_twice(
    tmp_path: Path, prefix: str
) -> None:
    moment = 0
    while _survives(tmp_path / str(moment), moment, prefix, remove=bool(moment % 2)):
        moment += 1
    assert moment > 30


def _survives(root: Path, moment: int, prefix: str, *, remove: bool) -> bool:
    """Be killed; start again, with what comes again and more; whether it was killed at all."""
    root.mkdir()

    def work() -> None:
        worker = make(root, "one", "two", prefix=prefix, remove_local=remove)
        add(worker, *STORIES)
        worker.flush()

    killed = killed_at(moment, root, work)
    for store in ("one", "two"):
        assert all(story in STORIES for story in archived(root, store)), moment

    worker = make(root, "one", "two", prefix=prefix, remove_local=remove)
    add(worker, LATER[0], *reversed(STORIES), LATER[1])
    assert list(worker.flush()) == [None] * 5
    for store in ("one", "two"):
        found = sorted(archived(root, store), key=lambda each: each.label)
        assert found == [*STORIES, *LATER], moment
        indexes = sorted(path.name for path in (root / store).rglob("*.cdxj"))
        assert indexes == sorted(f"{path.name}.cdxj" for path in stored(root, store)), moment
    assert not list((root / "archiver").rglob("*.cdxj")), moment
    assert not list((root / "archiver").glob("*.tmp"))
    copies = {path.name for path in (root / "archiver").glob("*.warc.gz")}
    assert copies <= {path.name for path in stored(root, "one")}, moment
    worker.close()
    return killed
