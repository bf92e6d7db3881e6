"""The bookmark of a puller that is killed at any moment."""

from pathlib import Path

from tests.killed import killed_at
from tests.stories.queuers.test_bookmark import last, saved


def test_killed_at_any_moment_it_is_the_old_one_or_the_new_one(tmp_path: Path) -> None:
    moment = 0
    while _survives(tmp_path / str(moment), moment):
        moment += 1
    assert moment > 6


def _survives(root: Path, moment: int) -> bool:
    """Be killed while it is saved; whether it was."""

    def save() -> None:
        saved(root, 3)

    saved(root, 1, 2)
    killed = killed_at(moment, root, save)
    assert last(root) in ((2, 3) if killed else (3,)), moment
    saved(root, 4)
    assert last(root) == 4
    return killed
