"""The programs of pipeview as processes."""

import subprocess
from pathlib import Path

from tests.patience import PATIENCE
from tests.workers import programs


def start(program: str, data: Path, *arguments: str, **variables: str) -> "subprocess.Popen[str]":
    """Start a program with a data directory."""
    return programs.start(f"pipeview.{program}", *arguments, **{"DATAROOT": str(data), **variables})


def run(
    program: str, data: Path, *arguments: str, **variables: str
) -> "subprocess.CompletedProcess[str]":
    """Run a program to its end."""
    process = start(program, data, *arguments, **variables)
    out, err = process.communicate(timeout=PATIENCE)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)
