"""The recipes of CONTRIBUTING.md, followed in a copy of the project: nothing else has to change."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest

from tests import recipes
from tests.paths import ROOT
from tests.stories.archived import archive, varied

LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with a new worker and a new flavor."""
    copy = tmp_path_factory.mktemp("newcomer") / "project"
    shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
    (copy / "workers/stories/language_filter.py").write_text(recipes.WORKER, encoding="utf-8")
    test = copy / "tests/workers/stories/test_language_filter.py"
    test.write_text(recipes.WORKER_TEST, encoding="utf-8")
    with (copy / "docs/statuses.md").open("a", encoding="utf-8") as file:
        file.write(recipes.STATUS)
    flavors = copy / "pipeline.py"
    begin = "PIPELINES: list[Pipeline] = [\n"
    text = flavors.read_text(encoding="utf-8")
    assert begin in text
    flavors.write_text(
        text.replace(begin, begin + indent(recipes.FLAVOR.rstrip() + ",\n", "    ")),
        encoding="utf-8",
    )
    return copy


def run(copy: Path, *arguments: str) -> str:
    """Run Python in the copy; what it printed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_tests_of_worker_and_flavors_pass(copy: Path) -> None:
    tests = [
        "tests/workers/stories/test_language_filter.py",
        "tests/commands/test_pipeline.py",
        "tests/test_statuses.py",
        "tests/test_docs.py",
        "tests/test_architecture.py",
        "tests/workers/stories/test_file_mode.py::test_every_program_of_stories_can_do_it",
    ]
    run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)


def test_the_code_of_the_recipes_is_formatted_and_sound(copy: Path) -> None:
    files = [f"{folder}workers/stories/" for folder in ("", "tests/")]
    changed = [*files, "pipeline.py"]
    run(copy, "-m", "ruff", "format", "--check", *changed)
    run(copy, "-m", "ruff", "check", *changed)


def test_the_flavor_runs_embedded(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "archive.warc.gz").write_bytes(archive([varied(number) for number in range(12)]))
    flavor = ["--type", "archive-in-some-languages", "--set", "LANGUAGES=ur es"]
    given = ["--data", str(tmp_path / "data"), str(tmp_path / "archive.warc.gz")]
    summary = json.loads(run(copy, "pipeline.py", "run", "--json", *flavor, *given))
    assert summary["indexed"] == 6, summary
