"""The recipes of CONTRIBUTING.md, followed in a copy of the project: nothing else has to change."""

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest
from mypy.api import run as mypy

from indexer.search import open_index
from indexer.stories.indexing.fields import STORY_FIELDS
from tests import recipes
from tests.paths import ROOT
from tests.search.corpus import fill, story
from tests.stories.archived import archive, varied

LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with a new worker, a new flavor and a new field."""
    copy = tmp_path_factory.mktemp("newcomer") / "project"
    shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
    (copy / "workers/stories/language_filter.py").write_text(recipes.WORKER, encoding="utf-8")
    test = copy / "tests/workers/stories/test_language_filter.py"
    test.write_text(recipes.WORKER_TEST, encoding="utf-8")
    with (copy / "docs/statuses.md").open("a", encoding="utf-8") as file:
        file.write(recipes.STATUS)
    flavor = recipes.FLAVOR.rstrip() + ",\n"
    add(copy / "pipeline.py", "PIPELINES: list[Pipeline] = [\n", flavor)
    table = copy / "indexer/stories/indexing/fields.py"
    add(table, "TABLE: dict[Field, Value] = {\n", dedent(recipes.FIELD))
    return copy


def add(path: Path, begin: str, entry: str) -> None:
    """Add an entry to a table in a file, below its first line."""
    text = path.read_text(encoding="utf-8")
    assert begin in text
    path.write_text(text.replace(begin, begin + indent(entry, "    ")), encoding="utf-8")


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
    changed = [*files, "pipeline.py", "indexer/stories/indexing/fields.py"]
    run(copy, "-m", "ruff", "format", "--check", *changed)
    run(copy, "-m", "ruff", "check", *changed)


def test_the_type_checker_accepts_the_worker_and_refuses_another_output(tmp_path: Path) -> None:
    worker = tmp_path / "language_filter.py"
    for program, accepted in (
        (recipes.WORKER, True),
        (recipes.WORKER.replace("return story\n", "return self\n"), False),
    ):
        worker.write_text(program, encoding="utf-8")
        said, problem, status = mypy(
            ["--strict", f"--config-file={ROOT / 'pyproject.toml'}", str(worker)]
        )
        assert not problem
        assert (status == 0) is accepted, said


def test_the_flavor_runs_embedded(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "archive.warc.gz").write_bytes(archive([varied(number) for number in range(12)]))
    flavor = ["--type", "archive-in-some-languages", "--set", "LANGUAGES=ur es"]
    given = ["--data", str(tmp_path / "data"), str(tmp_path / "archive.warc.gz")]
    summary = json.loads(run(copy, "pipeline.py", "run", "--json", *flavor, *given))
    assert summary["indexed"] == 6, summary


def test_an_existing_index_gets_the_field(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "archive.warc.gz").write_bytes(archive([varied(number) for number in range(6)]))
    url = f"sqlite:///{tmp_path}/index.sqlite3"
    before = open_index(url, STORY_FIELDS)
    fill(before, story("old"))
    before.close()
    flavor = ["--type", "archive", "--data", str(tmp_path), "--index", url]
    run(copy, "pipeline.py", "run", *flavor, str(tmp_path / "archive.warc.gz"))
    search = ["-m", "indexer.commands.main", "search", "--index", url, "--format", "csv"]
    rows = list(csv.DictReader(run(copy, *search, "feed:[1 TO 9]").splitlines()))
    assert [row["feed_id"] for row in rows] == ["7"] * 6
    [row] = csv.DictReader(run(copy, *search, "--", "-feed:*").splitlines())
    assert (row["id"], row["feed_id"]) == ("old", "")
    assert "feed:" in run(copy, *search, "--help")


def test_the_indexes_are_as_good_with_the_field(copy: Path) -> None:
    tests = ["test_queries.py", "test_conformance.py", "sqlite/test_migration.py"]
    run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(f"tests/search/{n}" for n in tests))
