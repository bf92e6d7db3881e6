"""Operators' programs, called in-process."""

import pytest

from tests.workers.in_process import Call, caller


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls a program of `workers.operations`."""
    return caller("operations", capsys, monkeypatch)
