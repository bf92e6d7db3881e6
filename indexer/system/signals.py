"""SIGTERM and Ctrl-C: the first one asks to stop, the second ends the program at once."""

import signal
import threading
from types import FrameType

SIGNALS = (signal.SIGTERM, signal.SIGINT)

_stop = threading.Event()


def stop_on_signals() -> threading.Event:
    """An event that the first of the signals sets; then they do what they do by default."""
    global _stop  # noqa: PLW0603 - signals are the process's, and so is the wish to stop
    stop = _stop = threading.Event()

    def handle(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the signature
        stop.set()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    for each in SIGNALS:
        signal.signal(each, handle)
    return stop


def pause(seconds: float) -> bool:
    """Wait, but not when the program is to stop: then True, at once."""
    return _stop.wait(seconds)
