"""Messages moved from one queue to another: all, some, and none lost."""

import threading
from collections.abc import Sequence

import pytest

from indexer.broker import Broker, moving
from indexer.broker.moving import Moved, move, ready, taken
from indexer.errors import Unroutable
from indexer.messages.message import Delivery, Send
from tests.broker.conftest import Place, bodies, soon


def fill(broker: Broker, place: Place, count: int) -> None:
    broker.publish(Send("", place.quar, b"%d" % number) for number in range(count))


def test_all_that_waits_is_moved_in_order(
    broker: Broker, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "MESSAGES", 7)
    fill(broker, place, 30)
    assert move(broker, place.quar, None, lambda d: Send("", place.next, d.body)) == (30, 0)
    assert bodies(broker, place.next, 30) == [b"%d" % number for number in range(30)]
    assert ready(broker, place.quar) == 0


def test_messages_without_a_send_stay(broker: Broker, place: Place) -> None:
    fill(broker, place, 10)

    def even(delivery: Delivery) -> Send | None:
        return Send("", place.next, delivery.body) if int(delivery.body) % 2 == 0 else None

    assert move(broker, place.quar, None, even) == Moved(5, 5)
    assert soon(lambda: ready(broker, place.quar) == 5)
    assert bodies(broker, place.next, 5) == [b"0", b"2", b"4", b"6", b"8"]


@pytest.mark.parametrize("most", [0, 3])
def test_no_more_than_asked_for_is_moved(broker: Broker, place: Place, most: int) -> None:
    fill(broker, place, 10)
    assert move(broker, place.quar, most, lambda d: Send("", place.next, d.body)).moved == most
    assert soon(lambda: ready(broker, place.quar) == 10 - most)


def test_a_message_that_comes_back_is_not_moved_again(broker: Broker, place: Place) -> None:
    fill(broker, place, 10)
    assert move(broker, place.quar, None, lambda d: Send("", place.quar, d.body)) == (10, 0)
    assert soon(lambda: ready(broker, place.quar) == 10)


def test_a_message_that_cannot_be_routed_is_not_lost(broker: Broker, place: Place) -> None:
    fill(broker, place, 10)
    with pytest.raises(Unroutable):
        move(broker, place.quar, None, lambda d: Send("", place.nowhere, d.body))
    assert soon(lambda: ready(broker, place.quar) == 10)


class Slow:
    """A consumer that receives nothing for some time."""

    def __init__(self, silent: int, then: Sequence[Delivery] = ()) -> None:
        self._silent = silent
        self._then = [*then]
        self.asked = 0

    def receive(self, timeout: float) -> Delivery | None:
        self.asked += 1
        return self._then.pop(0) if self.asked > self._silent and self._then else None

    def is_empty(self) -> bool:
        return not self._then

    def settle(self, deliveries: Sequence[Delivery], sends: Sequence[Send] = ()) -> None: ...

    def close(self) -> None: ...


def test_silence_is_the_end_only_of_an_empty_queue() -> None:
    slow = Slow(20, [Delivery(1, b"late")])
    waits = iter([1] * 17 + [0])
    assert [each.body for each in taken(slow, 9, lambda: next(waits), silence=1.0)] == [b"late"]


def test_waiting_messages_that_never_arrive_are_given_up() -> None:
    slow = Slow(10**9)
    assert [*taken(slow, 9, lambda: 1)] == []
    assert slow.asked == moving.STUCK / moving.PAUSE


def test_after_a_stop_nothing_more_is_received() -> None:
    stop = threading.Event()
    slow = Slow(0, [Delivery(number, b"") for number in range(5)])
    for delivery in taken(slow, 9, lambda: 0, stop=stop):
        if delivery.tag == 2:
            stop.set()
    assert slow.asked == 3


def lengths(*sizes: int) -> list[list[int]]:
    """The sizes of the messages in each portion."""
    found = moving.portions(Send("", "q", bytes(size)) for size in sizes)
    return [[len(send.body) for send in portion] for portion in found]


def test_a_portion_has_a_limit_of_messages_and_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "MESSAGES", 3)
    monkeypatch.setattr(moving, "BYTES", 100)
    assert lengths(1, 1, 1, 1) == [[1, 1, 1], [1]]
    assert lengths(60, 60, 500, 1) == [[60, 60], [500], [1]]
    assert lengths() == []
