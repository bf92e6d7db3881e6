"""Programs that are started by hand, and files in the current directory, which do no harm."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from indexer.commands.programs.catalog import flavors_of_steps
from indexer.system.options import environment
from tests.each_row import each_row
from tests.paths import ROOT
from tests.patience import PATIENCE

TRAP = "from pathlib import Path\nPath(__file__).with_name('imported').touch()\n1 / 0\n"

COMMAND = (
    "import sys; from indexer.commands.main import main; sys.argv[0] = 'story-indexer'; main()"
)


@pytest.fixture
def trapped(tmp_path: Path) -> Path:
    """A directory with modules of the names of ours, and of the standard library's."""
    for name in ("workers/stories", "indexer", "queue.py", "attr.py", "html.py", "lxml.py"):
        path = tmp_path / (name if name.endswith(".py") else f"{name}/__init__.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TRAP)
    return tmp_path


def story_indexer(*arguments: str, here: Path) -> "subprocess.CompletedProcess[str]":
    """Run the command as its installed script does: without the current directory."""
    return subprocess.run(
        [sys.executable, "-P", "-c", COMMAND, *arguments],
        env={**environment(), "PYTHONPATH": str(ROOT)},
        cwd=here,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_a_run_imports_nothing_from_the_current_directory(trapped: Path) -> None:
    ended = story_indexer("run", "--json", here=trapped)
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["indexed"] > 40
    assert not [*trapped.rglob("imported")]


def test_a_program_and_its_sandbox_import_nothing_from_there(trapped: Path) -> None:
    ended = story_indexer("program", "parser", "--until-empty", here=trapped)
    assert "Traceback" not in ended.stderr
    assert not [*trapped.rglob("imported")]


@each_row("name", ["csv-queuer", "parser", "importer", "feed-scheduler", "story-saver", "pipeview"])
def test_a_program_whose_queues_are_missing_says_what_to_type(tmp_path: Path, name: str) -> None:
    data = str(tmp_path / "new data")
    ended = story_indexer("program", name, "--data", data, here=tmp_path)
    (flavor, *_) = flavors_of_steps()[name]
    assert f"`story-indexer pipeline configure --type {flavor} --data '{data}'`" in ended.stderr
    assert ended.returncode == 1
