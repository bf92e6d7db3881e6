"""Send lines to the central log from scripts, like logger(1).

The line is the words of the command; without words, each line of standard input is sent. UDP does
not confirm delivery, so lines may be lost in silence.

Examples:
  story-indexer program log --syslog-host syslog-sink -t backup done in 42 s
  ./backup.sh 2>&1 | story-indexer program log -t backup -p error
"""

import socket
import sys
import time
from collections.abc import Iterable, Sequence

from indexer.errors import ConfigurationError, InputError
from indexer.programs.program import run_program
from indexer.programs.settings import ProgramOptions
from indexer.system.datagrams import resolve
from indexer.system.logs import LINE_BYTES, datagram, head, level_of
from indexer.system.options import option
from indexer.text.cleaning import one_line

NAME = "log"


class LogOptions(ProgramOptions):
    """The lines, and the name and priority under which they are logged."""

    words: list[str] = option([], "words of the line", positional=True)
    tag: str = option("", "name of the sender; by default the process name", short="t")
    priority: str = option("info", "critical, error, warning, info or debug", short="p")


def send(options: LogOptions, _: str) -> None:
    """Send each line that isn't blank.

    Raises ConfigurationError without a host, or for an unknown priority; InputError if the host is
    unknown; OSError.
    """
    if options.syslog is None:
        raise ConfigurationError("no log server: set --syslog-host or SYSLOG_HOST")
    tag = one_line(options.tag or options.process_name or NAME).replace(" ", "_")
    level = level_of(options.priority)
    if (to := resolve(*options.syslog)) is None:
        raise InputError(f"no such host: {options.syslog[0]}")
    with socket.socket(to.family, socket.SOCK_DGRAM) as sender:
        for text in filter(None, (one_line(line, LINE_BYTES) for line in _lines(options.words))):
            begin = head(time.time(), tag, options.priority.upper())
            sender.sendto(datagram(level, begin, text), to.address)


def _lines(words: Sequence[str]) -> Iterable[str]:
    if words:
        return [" ".join(words)]
    # Binary input must not end the program: invalid bytes are replaced.
    return (raw.decode("utf-8", "replace") for raw in sys.stdin.buffer)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; return its exit status."""
    return run_program(NAME, LogOptions, send, arguments)


if __name__ == "__main__":
    sys.exit(main())
