"""The processes of a pipeline's programs: start, reports, stop."""

import json
import logging
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from indexer.running.tally import Tally, Usage
from indexer.system.children import import_path, python
from indexer.system.signals import signal_name

_log = logging.getLogger("run")

LOG_TAIL = 2000
"""The last characters of a failed program's log that are searched for the reason."""

LISTEN_SECONDS = 1.0

MEMORY = ": the system kills a program so when memory is short"


class Process:
    """The process of a program, and the state that it reports."""

    def __init__(
        self,
        step: str,
        module: str,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        log: Path,
        tally: Tally,
        said: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`said` is called, in another thread, with each warning and error of the program."""
        self.step = step
        self.log = log
        self.taken = 0
        self.waiting = 0
        self.unread: list[str] = []
        """The inputs that it could not read, with the reasons."""
        self.stopped = False
        """Whether SIGTERM was sent."""
        self._tally = tally
        self._said = said
        self._failed = ""
        self._log_start = log.stat().st_size if log.exists() else 0
        reader, writer = os.pipe()
        try:
            with log.open("ab") as output:
                self._popen = subprocess.Popen(
                    python(module, f"--report-fd={writer}", *arguments),
                    env={**environment, "PYTHONPATH": import_path()},
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    pass_fds=[writer],
                    # Ctrl-C must reach the run only, which then stops its programs in order.
                    start_new_session=True,
                )
        finally:
            # The reader sees the end of the reports when the child's copy is the only one.
            os.close(writer)
        self._listener = threading.Thread(target=self._listen, args=(reader,), daemon=True)
        self._listener.start()

    @property
    def idle(self) -> bool:
        """Whether all its unsettled messages wait for the end of their batch."""
        return self.taken == self.waiting

    @property
    def status(self) -> int | None:
        """The exit status; None while the program runs."""
        return self._popen.poll()

    def stop(self) -> None:
        """Send SIGTERM: the program finishes its messages, and ends."""
        self.stopped = True
        if self.status is None:
            self._popen.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL: its unsettled messages go back to the queue."""
        if self.status is None:
            self._popen.kill()

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end of the program and of its reports; the exit status.

        Raises subprocess.TimeoutExpired after `timeout` seconds.
        """
        status = self._popen.wait(timeout)
        self._listener.join(timeout)
        return status

    def _log_tail(self) -> str:
        """The end of the log that this process has written."""
        try:
            with self.log.open("rb") as log:
                # A log that became too large was emptied: then all of it is new.
                is_longer = self.log.stat().st_size >= self._log_start
                log.seek(self._log_start if is_longer else 0)
                return log.read().decode("utf-8", "replace")[-LOG_TAIL:]
        except OSError:
            return ""

    def reasons(self) -> list[str]:
        """The reasons of a failure: the inputs that were not read, or that of `failure`."""
        return self.unread or [self.failure()]

    def failure(self) -> str:
        """Why the program has failed: its report, the signal, or the last line of its log."""
        # It has ended: its last report is here within a moment.
        self._listener.join(LISTEN_SECONDS)
        status = self.status or 0
        if self._failed:
            return self._failed
        if status < 0:
            return f"killed by {signal_name(-status)}" + MEMORY * (status == -signal.SIGKILL)
        lines = self._log_tail().splitlines()
        return lines[-1].rpartition(" | ")[2] if lines else f"ended with status {status}"

    def _listen(self, descriptor: int) -> None:
        with os.fdopen(descriptor, encoding="utf-8") as reports:
            for line in reports:
                self._hear(line)

    def _hear(self, line: str) -> None:
        try:
            report = json.loads(line)
        except ValueError:
            # The program was killed while it wrote a line.
            _log.debug("%s: unreadable report", self.step)
            return
        if "kind" in report:
            self._tally.add(report["step"], report["kind"], report["status"])
        elif "taken" in report:
            self.taken, self.waiting = report["taken"], report["waiting"]
        elif "cpu" in report:
            self._tally.used(self.step, Usage(report["cpu"], report["peak"]))
        elif "made" in report:
            self._tally.add_made(report["made"])
        elif "inputs" in report:
            self._tally.add_inputs(report["inputs"], report["number"])
        else:
            self._hear_why(report)

    def _hear_why(self, report: Mapping[str, str]) -> None:
        """Take a report in words."""
        if "why" in report:
            self._tally.add_reason(report["status"], report["why"])
        elif "unread" in report:
            self.unread.append(report["unread"])
        elif "said" in report:
            self._said(report["said"])
        elif "failed" in report:
            self._failed = report["failed"]
