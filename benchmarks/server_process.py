"""A server in a process of its own, so that its CPU time is not counted."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

_ROOT = Path(__file__).resolve().parent.parent


class ServerProcess:
    """Runs a module of the benchmarks while its block runs.

    The module prints its ports on one line, answers each line of standard input with a line, and
    ends when standard input does.
    """

    def __init__(self, module: str, *arguments: str) -> None:
        self._command = [sys.executable, "-m", module, *arguments]
        self._process: subprocess.Popen[str] | None = None
        self.ports: Sequence[int] = (0,)

    @property
    def port(self) -> int:
        """The first port; 0 before the server has started."""
        return self.ports[0]

    def __enter__(self) -> Self:
        """Raises RuntimeError if the server does not start."""
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=_ROOT
        )
        words = self._line().split()
        if not words or not all(map(str.isdigit, words)):
            self.close()
            raise RuntimeError("the benchmark's server did not start")
        self.ports = [int(word) for word in words]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def ask(self) -> None:
        """Send a line, and wait for the answer."""
        if self._process and self._process.stdin:
            self._process.stdin.write("\n")
            self._process.stdin.flush()
            self._line()

    def close(self) -> None:
        """Stop the server."""
        if self._process:
            self._process.communicate()
        self._process = None

    def _line(self) -> str:
        return self._process.stdout.readline() if self._process and self._process.stdout else ""
