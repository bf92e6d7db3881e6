"""SIGTERM and Ctrl-C: the first signal requests a stop, the second ends the program at once."""

import signal
import threading
from types import FrameType

SIGNALS = (signal.SIGTERM, signal.SIGINT)

_stop = threading.Event()


def stop_on_signals() -> threading.Event:
    """Return an event that the first signal sets; it also restores the default handlers."""
    global _stop  # noqa: PLW0603 - signals belong to the process, and so does the stop
    stop = _stop = threading.Event()

    def handle(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the signature
        stop.set()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    for each in SIGNALS:
        signal.signal(each, handle)
    return stop


def pause(seconds: float) -> bool:
    """Wait. Return True at once if the program is to stop."""
    return _stop.wait(seconds)
