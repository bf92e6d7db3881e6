"""Operators' programs, started as operators do."""

import subprocess
import sys
from pathlib import Path

from indexer.options import environment

ROOT = Path(__file__).parents[3]


def start(program: str, *arguments: str, **variables: str) -> subprocess.Popen[str]:
    """Start a program of `workers.operations`."""
    return subprocess.Popen(
        [sys.executable, "-m", f"workers.operations.{program}", *arguments],
        cwd=ROOT,
        env={**environment(), **variables},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(program: str, *arguments: str, **variables: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of one."""
    process = start(program, *arguments, **variables)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err
