"""A flavor of a new family, run as a whole: only its data is new."""

import io
import threading
from pathlib import Path

import pytest
from rich.console import Console

from indexer.commands.running.one_run import Run
from indexer.commands.running.request import RunRequest
from indexer.commands.running.summary import show
from indexer.messages.pipelines import Pipeline
from pipeline import PIPELINES
from tests.commands.running.press import BARE, DESCRIBED
from tests.paths import ROOT


@pytest.mark.parametrize(
    ("press", "done"),
    [(BARE, {"done": 2}), (DESCRIBED, {"printed": 2, "sold": 2})],
    ids=["bare", "described"],
)
def test_a_flavor_of_a_new_family_runs_and_its_files_are_listed(
    press: Pipeline, done: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.PIPELINES", [*PIPELINES, press])
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    console = Console(file=io.StringIO(), width=100)
    request = RunRequest(inputs=["one", "drop", "two"], type="press", data=tmp_path)
    run = Run(request, console)
    summary = run.perform(threading.Event())
    assert (summary.queued, summary.done, summary.discarded) == (3, done, {"dropped": 1})
    assert summary.complete
    assert summary.accounted
    (file,) = summary.warc_files
    assert sorted(Path(file).read_text().split()) == ["one", "two"]
    show(summary, run.pipeline, console)
    assert Path(file).name in console.file.getvalue()  # type: ignore[attr-defined]
