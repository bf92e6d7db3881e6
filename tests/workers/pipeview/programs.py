"""The programs of pipeview as processes."""

import subprocess
import sys
from pathlib import Path

from indexer.options import environment


def start(program: str, data: Path, *arguments: str, **variables: str) -> "subprocess.Popen[str]":
    """Start a program with a data directory."""
    return subprocess.Popen(
        [sys.executable, "-m", f"workers.pipeview.{program}", *arguments],
        env={**environment(), "DATAROOT": str(data), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(
    program: str, data: Path, *arguments: str, **variables: str
) -> "subprocess.CompletedProcess[str]":
    """Run a program to its end."""
    process = start(program, data, *arguments, **variables)
    out, err = process.communicate(timeout=60)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)
