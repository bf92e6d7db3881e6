"""Programs wait for the servers that their settings name, for a limited time."""

import socket

import pytest

from indexer.errors import ConfigurationError, UnreachableServer
from indexer.programs.waiting import NeededServer, accepts, servers, wait
from tests.clock import Clock
from tests.each_row import each_row
from tests.relay import refused_port

BROKER = NeededServer("BROKER_URL", "rabbit", 5672)
INDEX = [NeededServer("INDEX_URL", "one", 9200), NeededServer("INDEX_URL", "two", 9200)]


@each_row(
    ("urls", "found"),
    [
        ("amqp://u:secret@rabbit/vhost", ["rabbit:5672 (URL)"]),
        ("amqps://rabbit/", ["rabbit:5671 (URL)"]),
        ("amqp://u@[::1]:5673/?heartbeat=10", ["::1:5673 (URL)"]),
        ("sqlite:///data/queues.sqlite3", []),
        (" ", []),
        ("https://es.example/mc_search", ["es.example:443 (URL)"]),
        ("http://one:9200 http://two:9200", ["one:9200 (URL)", "two:9200 (URL)"]),
        ("postgresql://u:p@db/story", ["db:5432 (URL)"]),
        ("postgres://db/story", ["db:5432 (URL)"]),
        ("postgresql+psycopg://db:6000/a", ["db:6000 (URL)"]),
    ],
)
def test_a_url_names_a_server(urls: str, found: list[str]) -> None:
    assert [str(server) for server in servers("URL", urls)] == found


@each_row("url", ["amqp://u:se@cret@[rabbit/", "amqp://rabbit:secret/", "http://es:99999/"])
def test_a_url_that_cannot_be_read_is_an_error_without_its_password(url: str) -> None:
    with pytest.raises(ConfigurationError, match=r"BROKER_URL: not a valid URL$"):
        list(servers("BROKER_URL", url))


def test_waiting_ends_when_one_of_each_accepts_and_is_reported_every_ten_seconds(
    clock: Clock,
) -> None:
    reports: list[str] = []
    start = clock()

    def answers(server: NeededServer) -> bool:
        return clock() >= start + (25 if server is BROKER else 0) and server is not INDEX[0]

    wait([[BROKER], INDEX], 60, reports.append, answers, clock, clock.sleep)
    assert clock() == start + 25
    assert reports == ["waiting for rabbit:5672 (BROKER_URL)"] * 3


def test_waiting_has_an_end(clock: Clock) -> None:
    with pytest.raises(
        UnreachableServer, match=r"one:9200 \(INDEX_URL\) or two:9200 .* after 60 s"
    ):
        wait([INDEX], 60, lambda _: None, lambda _: False, clock, clock.sleep)
    assert clock() == 1060


def test_a_server_accepts_if_something_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert accepts(NeededServer("BROKER_URL", *listener.getsockname()))
    with refused_port() as port:
        assert not accepts(NeededServer("BROKER_URL", "127.0.0.1", port))
