"""`story-indexer search` in a pipe whose reader ends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from indexer.commands import search as command
from indexer.search import open_index
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.search.corpus import fill, story


@pytest.mark.parametrize("format", ["table", "jsonl", "csv"])
def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path, format: str) -> None:
    index = open_index(f"sqlite:///{tmp_path / 'index.sqlite3'}", STORY_FIELDS)
    fill(index, *(story(str(number), "word " * 5000) for number in range(50)))
    index.close()
    script = f"import typer; from {command.__name__} import search; typer.run(search)"
    arguments = ["--data", str(tmp_path), "--all", "--format", format]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    with subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.read(10)
        running.stdout.close()
        said = running.stderr.read()
    assert (running.returncode, said) == (0, b"")
