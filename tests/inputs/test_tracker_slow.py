"""A process that is killed while it reads an input."""

import subprocess
import sys
from pathlib import Path

from indexer.inputs.tracker import Tracker
from tests.inputs.test_tracker import NAME, claimed

KILLED = """
import os, signal, sys
from pathlib import Path
from indexer.inputs.tracker import Tracker
claim = Tracker(Path(sys.argv[1])).claim(sys.argv[2], "v1")
claim.confirm(42)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_had_is_free_at_once(tmp_path: Path) -> None:
    path = tmp_path / "program" / "file-tracker.sqlite3"
    subprocess.run([sys.executable, "-c", KILLED, str(path), NAME], check=False)
    tracker = Tracker(path)
    with claimed(tracker, NAME, "v1") as claim:
        assert claim.items == 42
    tracker.close()
