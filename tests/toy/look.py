"""Measures made-up numbers.

Example: python -m tests.toy.look --json
"""

import logging
import sys
from collections.abc import Sequence

from indexer.errors import BrokerError, ConfigurationError
from indexer.metrics import counter, gauge
from indexer.programs.periodic import Periodic, PeriodicOptions, run_periodic
from indexer.system.options import option

DEPTH = gauge("toy.depth", "of a toy", "name")
LOOKS = counter("toy.looks", "of a toy")

log = logging.getLogger("look")


class LookOptions(PeriodicOptions):
    """Options of the program."""

    fails: bool = option(False, "each look fails")
    never: bool = option(False, "no look can work")


class Look(Periodic):
    """Measures three messages."""

    name = "look"

    def __init__(self, options: LookOptions) -> None:
        if options.never:
            raise ConfigurationError("--never can't work")
        self._fails = options.fails

    def tick(self) -> None:
        log.info("looking")
        if self._fails:
            raise BrokerError("the broker is gone")
        DEPTH.set(3, name="parser-in")
        LOOKS.add()

    def close(self) -> None:
        log.info("closed")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program."""
    return run_periodic(Look, LookOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
