"""Write the logs of all programs to one file.

Programs send their logs by UDP to the host in SYSLOG_HOST. LOG_DIR/messages.log is renamed to
messages.log.YYYY-MM-DD_HH each hour (UTC), and kept for 14 days. To trace a story through all
programs, search these files for its URL.

Example: story-indexer program syslog-sink --log-dir /var/log/stories --syslog-port 5140
"""

import logging
import socket
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from indexer.operations.hourly_file import HourlyFile
from indexer.operations.log_sink import LogSink
from indexer.programs.program import run_program
from indexer.programs.settings import ProgramOptions
from indexer.system.listening import ListenAddress, listen
from indexer.system.options import option
from indexer.system.signals import stop_on_signals

log = logging.getLogger("syslog-sink")


class SyslogSinkOptions(ProgramOptions):
    """The address to listen at, and the directory of the log."""

    bind: str = option("", "listen at this address only", "SYSLOG_BIND")
    log_dir: Path | None = option(
        None, "directory of messages.log; by default logs in the data directory", "LOG_DIR"
    )

    def implied(self) -> dict[str, Any]:
        """See `Options`: the program's own log goes to standard error only."""
        # If it sent its own log to itself, each line would cause the next one.
        return {"syslog_host": ""}


def write_logs(options: SyslogSinkOptions, _: str) -> None:
    """Receive and write until SIGTERM. Raises ConfigurationError if it can't listen, OSError."""
    stop = stop_on_signals()
    folder = options.log_dir or options.directory("logs")
    place = ListenAddress(options.bind, options.syslog_port)
    with closing(HourlyFile(folder)) as file, listen(place, socket.SOCK_DGRAM) as receiving:
        at = ListenAddress(place.host, receiving.getsockname()[1])
        log.info("listening at %s, writing to %s", at, folder)
        LogSink(receiving, file).run(stop)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; return its exit status."""
    return run_program("syslog-sink", SyslogSinkOptions, write_logs, arguments)


if __name__ == "__main__":
    sys.exit(main())
