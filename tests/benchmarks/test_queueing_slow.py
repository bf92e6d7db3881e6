"""The benchmark of the queues: each contender moves all of its messages."""

from pathlib import Path

import pytest

from benchmarks.measuring.rounds import measure
from benchmarks.measuring.stage import Stage, Unmeasured
from benchmarks.stages import queueing
from tests.broker.conftest import bodies


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns of few messages, and no server unless a test names one."""
    monkeypatch.setattr(queueing, "COUNT", 50)
    monkeypatch.setattr(queueing, "TRANSACTIONS", 5)
    monkeypatch.delenv(queueing.URL, raising=False)


def test_without_a_server_the_embedded_queue_is_measured() -> None:
    with queueing.stages([]) as (local, remote):
        assert isinstance(remote, Unmeasured)
        assert isinstance(local, Stage)
        assert all(rate > 0 for rate in measure(local, 1).figures.values())


def test_our_loop_moves_all_messages_on_sqlite(tmp_path: Path) -> None:
    with queueing.place(f"sqlite:///{tmp_path}/queues.sqlite3") as place:
        place.loop(lambda: 0.0)
        assert bodies(place.broker, f"{place.name}-next-in", 50) == [queueing.BODY] * 50


@pytest.mark.external
def test_each_contender_moves_all_messages_on_rabbitmq(
    rabbitmq_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(queueing.URL, rabbitmq_url)
    with queueing.place(rabbitmq_url) as place:
        for turn, count in [(place.loop, 50), (place.pika_alone, 50), (place.transactions, 5)]:
            turn(lambda: 0.0)
            arrived = bodies(place.broker, f"{place.name}-next-in", count)
            assert arrived == [queueing.BODY] * count
