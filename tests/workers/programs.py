"""Programs, started as operators do."""

import subprocess
import sys

from indexer.system.options import environment
from tests.paths import ROOT


def start(program: str, *arguments: str, **variables: str) -> "subprocess.Popen[str]":
    """Start `workers.PROGRAM`; `variables` are added to the environment."""
    return subprocess.Popen(
        [sys.executable, "-m", f"workers.{program}", *arguments],
        cwd=ROOT,
        env={**environment(), **variables},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
