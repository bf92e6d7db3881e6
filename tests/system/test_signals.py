"""The wish to stop."""

import os
import signal
import threading

import pytest

from indexer.system import signals
from indexer.system.signals import LONGEST_WAIT, Stop, pause, signal_name, stop_on_signals


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


@pytest.mark.parametrize("seconds", [None, 86_400.0])
def test_a_signal_that_arrives_just_before_a_wait_is_heard(
    monkeypatch: pytest.MonkeyPatch, seconds: float | None
) -> None:
    asleep = threading.Event.wait
    slept: list[float] = []
    stop = Stop()

    def late(event: threading.Event, timeout: float) -> bool:
        slept.append(timeout)
        if len(slept) > 2:
            # The handler of a signal that woke nobody runs between two waits.
            event.set()
        return asleep(event, 0.0)

    monkeypatch.setattr(threading.Event, "wait", late)
    assert stop.wait(seconds) is True
    assert slept == [LONGEST_WAIT] * 3


def test_a_signal_without_a_name_has_its_number() -> None:
    assert signal_name(9) == "SIGKILL"
    assert signal_name(40) == "signal 40"
