"""Operators' programs as processes."""

import subprocess

from tests.patience import PATIENCE
from tests.workers import programs


def start(program: str, *arguments: str, **variables: str) -> "subprocess.Popen[str]":
    """Start a program of `workers.operations`."""
    return programs.start(f"operations.{program}", *arguments, **variables)


def run(program: str, *arguments: str, **variables: str) -> tuple[int, str, str]:
    """Run a program; return its exit status, standard output and standard error."""
    process = start(program, *arguments, **variables)
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err
