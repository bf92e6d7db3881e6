"""The commands of the handbook that need no server work, one after the other, as they are shown.

A block of code below the line `<!-- tested -->` is run; those of a document share a directory.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.patience import PATIENCE

_BLOCK = re.compile(r"^<!-- tested -->\n\n((?: {4}.*\n|\n)+)", re.MULTILINE)

SCRIPTS = {
    path.relative_to(ROOT / "docs").as_posix(): "\n".join(
        _BLOCK.findall(path.read_text(encoding="utf-8"))
    )
    for path in sorted(ROOT.glob("docs/**/*.md"))
}
TESTED = [name for name, script in SCRIPTS.items() if script]


TOOLS = ("bash", "openssl", "sqlite3")
"""Commands of the blocks that not every machine has."""


@pytest.mark.timeout(PATIENCE)
@pytest.mark.skipif(None in map(shutil.which, TOOLS), reason=f"one of {TOOLS} is not installed")
@pytest.mark.parametrize("document", TESTED)
def test_the_commands_of_a_document_work(document: str, tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "CLONE": str(ROOT)}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", SCRIPTS[document]],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def test_there_are_tested_documents() -> None:
    names = {Path(each).stem for each in TESTED}
    assert {"install", "backup", "qutil", "README", "merging"} <= names
