"""Programs of pipeview, called in-process."""

from pathlib import Path

import pytest

from tests.workers.in_process import Call, caller


@pytest.fixture
def call(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Call:
    """Calls a program of pipeview, whose data directory is `tmp_path`."""
    monkeypatch.setenv("DATAROOT", str(tmp_path))
    return caller("pipeview", capsys, monkeypatch)
