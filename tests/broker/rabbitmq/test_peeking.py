"""The effects of peeking into a queue of RabbitMQ, and the history of messages."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pika
import pytest

from indexer.broker.rabbitmq.broker import RabbitMQBroker
from indexer.broker.rabbitmq.consumer import PORTION
from indexer.messages.message import Delivery, Send
from indexer.messages.topology import Queue, Topology
from tests.broker.conftest import soon
from tests.patience import PATIENCE

pytestmark = pytest.mark.external


@pytest.fixture
def broker(rabbitmq_url: str) -> Iterator[RabbitMQBroker]:
    """A broker with the queues of a step and a delivery limit of one."""
    broker = RabbitMQBroker.open(rabbitmq_url)
    broker.declare(
        Topology(
            [
                Queue("in", dead_letter="quar", delivery_limit=1),
                Queue("quar"),
                Queue("delay", dead_letter="in", delivery_limit=1),
            ]
        )
    )
    yield broker
    broker.close()


def ready(broker: RabbitMQBroker, queue: str) -> int:
    return (broker.depth(queue) or (0,))[0]


def look(broker: RabbitMQBroker, queue: str) -> Delivery:
    """The only message of a queue, which is in the queue again on return."""
    [delivery] = broker.peek(queue, 1)
    assert soon(lambda: any(ready(broker, name) for name in (queue, "in")))
    return delivery


def test_each_look_counts_as_a_delivery(broker: RabbitMQBroker) -> None:
    broker.publish([Send("", "quar", b"x")])
    assert [look(broker, "quar").deliveries for _ in range(4)] == [1, 2, 3, 4]


def test_at_its_limit_a_message_starts_again_in_its_queue(broker: RabbitMQBroker) -> None:
    broker.publish([Send("", "in", b"x")])
    looks = [look(broker, "in") for _ in range(5)]
    assert [delivery.deliveries for delivery in looks] == [1, 2, 1, 2, 1]


def test_messages_of_a_look_that_were_not_shown_stay_too(broker: RabbitMQBroker) -> None:
    broker.publish(Send("", "in", b"%d" % number) for number in range(3))
    for _ in range(5):
        looking = broker.peek("in", 3)
        next(looking)
        del looking
        assert soon(lambda: ready(broker, "in") == 3)
    assert ready(broker, "quar") == 0


def test_a_message_that_waits_goes_on_early_at_its_limit(broker: RabbitMQBroker) -> None:
    broker.publish([Send("", "delay", b"x", delay=3600)])
    assert look(broker, "delay").others["expiration"] == "3600000"
    look(broker, "delay")
    delivery = broker.consume("in", 1).receive(PATIENCE)
    assert delivery
    assert delivery.body == b"x"


def test_a_queue_whose_consumers_are_faster_ends_the_look(broker: RabbitMQBroker) -> None:
    broker.publish(Send("", "quar", b"%d" % number) for number in range(500))
    looking = broker.peek("quar", 500)
    next(looking)
    consumer = broker.consume("quar", 1000)
    # All messages but the portion that `peek` holds.
    for _ in range(500 - PORTION):
        assert consumer.receive(PATIENCE)
    assert 1 + len([*looking]) <= PORTION


def test_headers_of_others_are_shown_apart(broker: RabbitMQBroker, rabbitmq_url: str) -> None:
    headers = {
        "x-mc-what": "text",
        "since": datetime(2024, 5, 1, tzinfo=UTC),
        "table": {"a": [1, None]},
    }
    connection = pika.BlockingConnection(pika.URLParameters(rabbitmq_url))
    properties = pika.BasicProperties(headers=headers)
    connection.channel().basic_publish("", "quar", b"", properties)
    connection.close()
    assert soon(lambda: ready(broker, "quar") == 1)
    delivery = look(broker, "quar")
    assert delivery.headers == {"x-mc-what": "text"}
    assert {name: delivery.others[name] for name in ("since", "table")} == {
        "since": headers["since"],
        "table": headers["table"],
    }


def test_a_message_tells_how_it_died(broker: RabbitMQBroker) -> None:
    broker.publish([Send("", "delay", b"x", {"own": 1}, delay=0)])
    delivery = broker.consume("in", 1).receive(PATIENCE)
    assert delivery
    assert delivery.headers == {"own": 1}
    deaths = delivery.others["x-death"]
    assert isinstance(deaths, list)
    [death] = deaths
    assert (death["reason"], death["queue"], type(death["time"])) == ("expired", "delay", datetime)
