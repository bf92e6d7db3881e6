"""Commands that install: what they print is the reason of a failure."""

import sys
from pathlib import Path

import pytest

from scripts.services.commands import run
from scripts.services.service import Unavailable


def test_a_command_runs_in_its_folder_with_its_variables(tmp_path: Path) -> None:
    code = "import os, pathlib; pathlib.Path('made').write_text(os.environ['WORD'])"
    run([sys.executable, "-c", code], "no word", tmp_path, {"WORD": "glue"})
    assert (tmp_path / "made").read_text() == "glue"


def test_a_failure_has_the_output_and_a_missing_command_its_name(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"^no glue: the pot is empty$"):
        run([sys.executable, "-c", "exit('the pot is empty')"], "no glue", tmp_path)
    with pytest.raises(Unavailable, match=r"no glue: .*no-such-command"):
        run(["no-such-command"], "no glue", tmp_path)
