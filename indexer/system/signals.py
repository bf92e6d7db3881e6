"""SIGTERM and Ctrl-C: the first signal requests a stop, the second ends the program at once."""

import signal
import threading
import time
from types import FrameType
from typing import Final

SIGNALS = (signal.SIGTERM, signal.SIGINT)

LONGEST_WAIT: Final = 1.0
"""The most seconds that a program sleeps without a look at its signals."""


class Stop(threading.Event):
    """An event that a signal sets while the main thread waits for it."""

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the event is set, or for so many seconds. Return whether it is set."""
        end = None if timeout is None else time.monotonic() + timeout
        # A signal that arrives just before a thread falls asleep doesn't wake it: CPython calls
        # the handler when the thread goes on.
        while not super().wait(_part(end)):
            if end is not None and time.monotonic() >= end:
                return False
        return True


def _part(end: float | None) -> float:
    return LONGEST_WAIT if end is None else max(0.0, min(LONGEST_WAIT, end - time.monotonic()))


_stop = Stop()

INTERRUPTED = 130
"""The exit status after a stop: that of shells for a program that Ctrl-C has ended."""


def stop_on_signals() -> Stop:
    """Return an event that the first signal sets; it also restores the default handlers."""
    global _stop  # noqa: PLW0603 - signals belong to the process, and so does the stop
    stop = _stop = Stop()

    def handle(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the signature
        stop.set()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    for each in SIGNALS:
        signal.signal(each, handle)
    return stop


def signal_name(number: int) -> str:
    """The name of a signal, as `SIGTERM`; of real-time signals few have one: `signal 40`."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def pause(seconds: float) -> bool:
    """Wait. Return True at once if the program is to stop."""
    return _stop.wait(seconds)
