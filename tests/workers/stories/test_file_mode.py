"""Every program of stories has a test mode: its runs are in `test_file_mode_slow.py`."""

from importlib import import_module
from pathlib import Path

from indexer.stories.tools.story_file_options import StoryFileOptions
from indexer.system.options import Options
from tests.each_row import each_row

FOLDER = Path(import_module("workers.stories").__file__ or "").parent
PROGRAMS = sorted(path.stem for path in FOLDER.glob("[!_]*.py"))


@each_row("program", PROGRAMS)
def test_every_program_of_stories_can_do_it(program: str) -> None:
    module = import_module(f"workers.stories.{program}")
    given = [each for each in vars(module).values() if isinstance(each, type)]
    [options] = [each for each in given if each.__module__ == module.__name__ and is_options(each)]
    assert issubclass(options, StoryFileOptions)


def is_options(kind: type) -> bool:
    """Whether it is what a program can be told."""
    return issubclass(kind, Options)
