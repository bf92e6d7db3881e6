"""The wish to stop."""

import os
import signal
import threading

from indexer.system import signals
from indexer.system.signals import pause, stop_on_signals


def test_the_first_signal_asks_to_stop_and_ends_every_pause() -> None:
    stop = stop_on_signals()
    assert pause(0.01) is False
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGTERM)).start()
    assert pause(100) is True
    assert stop.is_set()
    assert pause(100) is True


def test_the_second_signal_does_what_it_does_by_default() -> None:
    stop_on_signals()
    os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_program_that_hears_no_signals_pauses_as_long_as_it_was_told() -> None:
    assert not signals._stop.is_set()
    assert pause(0.01) is False
