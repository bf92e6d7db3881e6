"""`--help` of a program that runs as a process of its own."""

import subprocess
import sys

from indexer.system.options import environment
from tests.patience import PATIENCE
from tests.workers.test_help import SECRET, SECRETS


def test_help_of_a_process_says_how_it_is_started_and_no_secret() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "workers.stories.importer", "--help"],
        env={**environment(), **SECRETS},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("usage: python -m workers.stories.importer ")
    assert SECRET not in ended.stdout
