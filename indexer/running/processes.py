"""Programs of a pipeline as processes of this machine: started, heard, stopped."""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from indexer.running.tally import Tally, Usage

_log = logging.getLogger("run")

LOG_TAIL = 2000
"""Characters of a program's log that are shown when it fails."""


class Process:
    """One program, and what it reports."""

    def __init__(
        self,
        step: str,
        module: str,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        log: Path,
        tally: Tally,
    ) -> None:
        self.step = step
        self.log = log
        self.taken = 0
        self.waiting = 0
        self.stopped = False
        """Whether it was asked to end."""
        self._tally = tally
        self._log_start = log.stat().st_size if log.exists() else 0
        reader, writer = os.pipe()
        command = [sys.executable, "-m", module, f"--report-fd={writer}", *arguments]
        try:
            with log.open("ab") as output:
                self._popen = subprocess.Popen(
                    command,
                    env=dict(environment),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    pass_fds=[writer],
                    # Ctrl-C is for the run, which then stops its programs in order.
                    start_new_session=True,
                )
        finally:
            os.close(writer)
        self._listener = threading.Thread(target=self._listen, args=(reader,), daemon=True)
        self._listener.start()

    @property
    def idle(self) -> bool:
        """Whether all that it holds waits for its batch to end."""
        return self.taken == self.waiting

    @property
    def status(self) -> int | None:
        """Its exit status, None while it runs."""
        return self._popen.poll()

    def stop(self) -> None:
        """Ask it to finish what it does, and end."""
        self.stopped = True
        if self.status is None:
            self._popen.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once; what it held goes back to its queue."""
        if self.status is None:
            self._popen.kill()

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status, once it has ended and all its reports are read.

        Raises subprocess.TimeoutExpired after `timeout` seconds.
        """
        status = self._popen.wait(timeout)
        self._listener.join(timeout)
        return status

    def last_words(self) -> str:
        """The end of its log, since it was started."""
        try:
            with self.log.open("rb") as log:
                # It may have begun anew meanwhile.
                is_longer = self.log.stat().st_size >= self._log_start
                log.seek(self._log_start if is_longer else 0)
                return log.read().decode("utf-8", "replace")[-LOG_TAIL:]
        except OSError:
            return ""

    def reason(self) -> str:
        """The last line of its log, without time and level."""
        lines = self.last_words().splitlines()
        return lines[-1].rpartition(" | ")[2] if lines else f"{self.step}: status {self.status}"

    def _listen(self, descriptor: int) -> None:
        with os.fdopen(descriptor, encoding="utf-8") as reports:
            for line in reports:
                self._hear(line)

    def _hear(self, line: str) -> None:
        try:
            report = json.loads(line)
        except ValueError:
            # A program that was killed in the middle of a line.
            _log.debug("%s: unreadable report", self.step)
            return
        if "kind" in report:
            self._tally.add(report["step"], report["kind"], report["status"])
        elif "file" in report:
            self._tally.archive(report["file"])
        elif "cpu" in report:
            self._tally.used(self.step, Usage(report["cpu"], report["peak"]))
        elif "taken" in report:
            self.taken, self.waiting = report["taken"], report["waiting"]
