"""Processes that are started from here import nothing from the current directory."""

import os
import sys
from pathlib import Path

import pytest

from indexer.system.children import import_path, python
from tests.paths import ROOT


def test_the_current_directory_is_not_on_the_import_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path.parent / "link").symlink_to(tmp_path)
    ours = ["/usr/lib/python", str(ROOT)]
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), ".", str(tmp_path.parent / "link"), *ours])
    assert import_path().split(os.pathsep) == ours


def test_a_current_directory_that_was_deleted_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "here").rmdir()
    monkeypatch.setattr(sys, "path", [str(ROOT)])
    assert import_path() == str(ROOT)


def test_a_checkout_from_which_we_run_stays_on_the_import_path(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", [str(ROOT)])
    assert import_path() == str(ROOT)


def test_python_puts_no_directory_first() -> None:
    assert python("a.b", "-x") == [sys.executable, "-P", "-m", "a.b", "-x"]
