"""The promises of every broker when consumers are killed."""

from indexer.broker import Broker
from indexer.messages.exchanges import Unheard
from indexer.messages.message import Send
from indexer.messages.topology import Binding, Topology
from tests.broker.conftest import Place, bodies, holder
from tests.broker.test_conformance import receive


def test_a_killed_consumers_messages_come_back(
    broker: Broker, place: Place, broker_url: str
) -> None:
    broker.publish(place.send(b"%d" % number) for number in range(3))
    with holder(broker_url, place.input, 2):
        pass
    consumer = broker.consume(place.input, 3)
    came = [receive(consumer) for _ in range(3)]
    assert sorted((d.body, d.deliveries) for d in came) == [(b"0", 2), (b"1", 2), (b"2", 1)]


def test_a_waiting_consumer_gets_the_messages_of_a_killed_one(
    broker: Broker, place: Place, broker_url: str
) -> None:
    broker.publish([place.send(b"x")])
    with holder(broker_url, place.input) as process:
        consumer = broker.consume(place.input, 1)
        assert consumer.receive(0.1) is None
        process.kill()
        assert receive(consumer).deliveries == 2


def test_a_message_that_kills_its_consumers_is_put_aside(
    broker: Broker, place: Place, broker_url: str
) -> None:
    broker.publish([place.send(b"poison", headers={"of": "it"})])
    for _ in range(2):  # its limit, and one more
        with holder(broker_url, place.input):
            pass
    delivery = receive(broker.consume(place.quar, 1))
    assert (delivery.body, delivery.headers, delivery.deliveries) == (b"poison", {"of": "it"}, 1)
    assert delivery.key == place.quar
    assert broker.consume(place.input, 1).receive(0.1) is None


def test_thousands_in_flight_come_back_each_as_it_was_sent(broker: Broker, place: Place) -> None:
    broker.declare(
        Topology(exchanges=[place.all], bindings=[Binding(place.all, place.next, "heard.#")])
    )
    meanings = [Unheard.RETURNED, Unheard.DROPPED]
    sends = [
        Send(
            place.all,
            "heard.a" if number % 3 == 0 else f"nobody.{number % 7}",
            b"%d" % number,
            unheard=meanings[number % 2],
        )
        for number in range(3000)
    ]
    returned = broker.publish(sends)
    unheard = [send for send in sends if send.key.startswith("nobody")]
    wanted = [send for send in unheard if send.unheard is Unheard.RETURNED]
    assert [id(send) for send in returned] == [id(send) for send in wanted]
    heard = [send.body for send in sends if send not in unheard]
    assert bodies(broker, place.next, len(heard)) == heard
