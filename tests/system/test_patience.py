"""Waiting for a server: pauses that grow, until all tries are used up or the program is to stop."""

from indexer.system.patience import LONGEST_PAUSE, Patience


def test_pauses_double_up_to_the_longest() -> None:
    pauses: list[float] = []
    patience = Patience(pauses.append, lambda: 1.0, attempts=10)
    assert list(patience.attempts()) == [False] * 9 + [True]
    assert pauses == [0.25, 0.5, 1, 2, 4, 8, 16, LONGEST_PAUSE, LONGEST_PAUSE]


def test_when_the_program_is_to_stop_the_next_attempt_is_the_last() -> None:
    stops = iter([False, True])
    patience = Patience(lambda _: next(stops), lambda: 1.0, attempts=10)
    assert list(patience.attempts()) == [False, False, True]


def test_the_only_attempt_is_the_last() -> None:
    assert list(Patience(attempts=1).attempts()) == [True]
